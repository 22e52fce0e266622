import {copyButton} from "./dom.js";

/** A frame as the JVM prints it, `loader/module@version/class.method(file:line)`, in its parts; `place` is what stands in the brackets. */
function parse(text) {
  const open = text.indexOf("(");
  const end = open < 0 ? text.length : open;
  const dot = text.lastIndexOf(".", end - 1);
  const owner = text.substring(0, Math.max(dot, 0)).replace(/\/0x[0-9a-f]+$/, ""); // the number of a hidden class
  return {className: owner.substring(owner.lastIndexOf("/") + 1), method: text.substring(dot + 1, end), place: text.substring(end)};
}

function named({className, method}) {
  return className === "" ? method : className + "." + method;
}

/** Class, method and line of a frame. */
export function lineOf(text) {
  const frame = parse(text);
  const line = /:(\d+)\)$/.exec(frame.place);
  return named(frame) + (line === null ? "" : ":" + line[1]);
}

/** Class and method of a frame, without what an edit elsewhere in the file changes: the line and the number of a lambda. */
export function methodOf(text) {
  const frame = parse(text);
  return named({...frame, method: frame.method.replace(/^(lambda\$.*)\$\d+$/, "$1")});
}

/** A stack as a program prints it with an exception, in the form of which IDEs make links: without class loaders, modules and notes. */
export function stackTrace(message, stack) {
  return `java.lang.Throwable: ${message}\n` + stack.map(parse).map(frame => `\tat ${named(frame)}${frame.place}\n`).join("");
}

/** A button that copies a stack for the console of stack traces of an IDE, after what `message()` says. */
export function copyTraceButton(message, stack) {
  return copyButton("Copy as stack trace", () => stackTrace(message(), stack));
}
