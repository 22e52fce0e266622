const LONGEST_LINE = 4 << 20;
const AGAIN_MILLIS = 2000;
const ANSWER_MILLIS = 20_000;

/** The agent says something every other second. */
const SILENCE_MILLIS = 10_000;

/** Where the figures come from: the agent that serves this page, or what is embedded in it. */
export function source() {
  const report = document.getElementById("report");
  return report === null ? new Agent() : new Embedded(JSON.parse(report.textContent), JSON.parse(document.getElementById("history").textContent));
}

class Embedded {
  constructor(report, history) {
    this.live = false;
    this.embedded = {report, history};
  }

  async report() {
    return this.embedded.report;
  }

  async history() {
    return this.embedded.history;
  }
}

/** Asks for a token if the agent does. */
class Agent {
  constructor() {
    this.live = true;
    this.token = sessionStorage.getItem("token");
  }

  report(stacks) {
    return this.json("api/report?stacks=" + (stacks ? "on" : "off"));
  }

  history(from) {
    return this.json("api/history?from=" + from);
  }

  threads() {
    return this.json("api/threads?top=50");
  }

  async json(path) {
    return (await this.fetch(path, AbortSignal.timeout(ANSWER_MILLIS))).json();
  }

  async fetch(path, signal) {
    while (true) {
      const answer = await fetch(path, {signal, headers: this.token === null ? {} : {Authorization: "Bearer " + this.token}});
      if (answer.status !== 401) {
        if (!answer.ok) {
          throw new Error(path + " returned status " + answer.status);
        }
        return answer;
      }
      this.token = await askForToken();
      sessionStorage.setItem("token", this.token);
    }
  }

  /** Where there is a token, a browser that follows a link does not send it. */
  async follow(event) {
    if (this.token !== null) {
      const path = event.target.getAttribute("href");
      event.preventDefault();
      const address = URL.createObjectURL(await (await this.fetch(path)).blob());
      const link = Object.assign(document.createElement("a"), {href: address, download: "vt-agent-" + path.replace(/\W+/g, "-") + ".txt"});
      link.click();
      URL.revokeObjectURL(address);
    }
  }

  /** Hands on each event until the page goes; says when the agent cannot be reached. An EventSource could not send a token. */
  async listen(onEvent, onState) {
    while (true) {
      const silence = new Silence();
      try {
        const answer = await this.fetch("api/live", silence.signal);
        onState(true);
        await read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), silence, onEvent);
      } catch (failure) {
        onState(false, failure);
      }
      await new Promise(resolve => setTimeout(resolve, AGAIN_MILLIS));
    }
  }
}

/** Aborts a request that gets no data. */
class Silence {
  constructor() {
    this.controller = new AbortController();
    this.broken();
  }

  get signal() {
    return this.controller.signal;
  }

  broken() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(new Error("no data received")), SILENCE_MILLIS);
  }
}

async function read(reader, silence, onEvent) {
  let text = "";
  while (true) {
    const {done, value} = await reader.read();
    silence.broken();
    if (done) {
      throw new Error("the agent has ended");
    }
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").filter(line => line.startsWith("data: ")).map(line => line.substring(6)).join("\n");
      if (data !== "") {
        onEvent(JSON.parse(data));
      }
    }
    if (text.length > LONGEST_LINE) {
      throw new Error("an event was too long");
    }
  }
}

let asked = null;

/** One question, however many wait for the answer. */
function askForToken() {
  asked ??= new Promise(resolve => {
    const form = document.getElementById("token");
    const field = document.getElementById("token-value");
    form.hidden = false;
    field.focus();
    form.addEventListener("submit", event => {
      event.preventDefault();
      form.hidden = true;
      resolve(field.value);
      field.value = "";
      asked = null;
    }, {once: true});
  });
  return asked;
}
