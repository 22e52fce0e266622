package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePinTotals;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReportTest {

    @Test
    void whatHappenedIsAllInOneObject() {
        assertThat(JsonReport.render(FullReport.everything(), JsonReport.Detail.ALL))
                .isEqualTo(
                        """
                        {"version":2,"agent":"1.0","java":"21.0.8","carriers":true,"monitorsPin":true,"attached":false,\
                        "pinningMode":"a monitor pins a virtual thread to its carrier in this JVM","answer":{"kind":"waiting","text":"Not pinning: 2 of 2 virtual threads are parked at a.B.c:1.","line":"a.B.c:1",\
                        "advice":"Find out what they wait for.","evidence":{"periodSeconds":0.25,"heldSeconds":0.25,"lostShare":0.25,"waitedForHeldSeconds":0.25,\
                        "waitedForBusySeconds":0.25,"runningSeconds":0.25,"runnableSeconds":0.25,"idleSeconds":0.25,"throttledSeconds":0.25,"pausedSeconds":0.25,"threads":0.25,\
                        "threadsAtLine":0.25,"longestWaitSeconds":0.25}},"uptimeNanos":10000000000,\
                        "count":4,"heldNanos":2000000000,"lostNanos":2000000000,"lostShare":0.1,\
                        "scheduler":{"parallelism":2,"size":3,"max":256,"held":1,"queued":7,"time":{"heldNanos":2200000000,"runningNanos":5500000000,"runnableNanos":1100000000,"idleNanos":13200000000},"threads":1000},\
                        "waiting":{"heldNanos":3500000000,"busyNanos":500000000},"throttledNanos":250000000,"pausedNanos":125000000,\
                        "active":{"count":1,"heldNanos":200000000,"longestNanos":200000000,"pins":[\
                        {"thread":"first#21","carrier":"worker-1","kind":"io","reason":"none","compensated":true,"caller":"shop.Files.load:5",\
                        "site":"java.io.FileInputStream.read:9","operation":"java.io.FileInputStream.read","ageNanos":200000000}]},\
                        "withoutMonitorPins":{"goesNanos":1500000000,"staysNanos":500000000,"unknownNanos":0,"stays":[\
                        {"site":"shop.Cache.<init>:28","kind":"park","heldNanos":400000000,"nativeFrame":"shop.Native.call:?"},\
                        {"site":"java.io.FileInputStream.read:9","kind":"io","heldNanos":100000000}]},\
                        "starved":{"periods":2,"nanos":6500000000,"now":true,"diagnosis":{\
                        "verdict":"`ReentrantLock@1` is owned by `late`.","overload":false,"remedy":"relief=stuck would help",\
                        "deadlock":[{"thread":"\\"late\\" #9","has":"ReentrantLock@1","waitsFor":"Db@3"}],"starvedNanos":5000000000,"carriers":2,"queued":7,\
                        "queuedThreads":["\\"late\\" #9","#10"],"locks":[\
                        {"name":"ReentrantLock@1","owner":"\\"late\\" #9","queue":["\\"first\\" #21"]},\
                        {"name":"Semaphore@2","queue":[]}],"held":[\
                        {"carrier":"worker-1","thread":"\\"first\\" #21","state":"park for 5000 ms","waitsFor":"ReentrantLock@1",\
                        "owner":"\\"late\\" #9","stack":["shop.Db.query(Db.java:7)","shop.Main.<init>(Main.java:1)"]},\
                        {"carrier":"worker-2","thread":"#22","state":"runnable","stack":[]}]},\
                        "past":[{"beganNanos":1000000000,"lastedNanos":1500000000,"diagnosis":{"verdict":"Overload.","overload":true,\
                        "starvedNanos":1200000000,"carriers":2,"queued":9,"queuedThreads":[],"locks":[],"held":[]}}]},\
                        "schedulerDelay":{"count":50,"nanos":200000000,"longestNanos":150000000,"currentNanos":3000000000},\
                        "relief":{"carriersAdded":12,"pins":1234,"heldNanos":2500000},\
                        "busyCarriers":1,"busy":[\
                        {"caller":"shop.Basket.add:12","site":"lib.Pool.borrow:7","count":40,"busyNanos":4000000000,\
                        "longestNanos":1200000000,"stack":["lib.Pool.borrow(Pool.java:7)","shop.Basket.add(Basket.java:12)"]},\
                        {"caller":"(unattributed)","site":"(unattributed)","count":1,"busyNanos":20000000,"longestNanos":12000000}],\
                        "sensors":{"park":"up","io":"was not noticed"},\
                        "totals":[\
                        {"kind":"park","reason":"monitor","compensated":false,"count":3,"heldNanos":1500000000,\
                        "longestNanos":900000000},\
                        {"kind":"io","reason":"none","compensated":true,"count":1,"heldNanos":500000000,\
                        "longestNanos":300000000,"inProgress":{"count":1,"heldNanos":200000000}}],\
                        "durationBoundsNanos":[100000,200000,500000,1000000,2000000,5000000,10000000,20000000,50000000,100000000,200000000,500000000,\
                        1000000000,2000000000,5000000000,10000000000],"sites":[\
                        {"caller":"shop.Cache.<init>:28","site":"shop.Cache.<init>:28","operation":"java.lang.Thread.sleep","kind":"park","count":3,\
                        "heldNanos":1500000000,"longestNanos":750000000,"durations":[0,0,0,0,0,0,0,0,0,0,0,2,1],"waitingNanos":3000000000,"advice":"do \\"this\\" & that","withoutMonitorPins":"goes","cause":"monitor",\
                        "monitor":"shop.Cache","nativeFrame":"shop.Native.call:?","holderIndex":1,\
                        "stack":["java.base/java.lang.Thread.sleep(Thread.java:509)","shop.Cache.<init>(Cache.java:28)",\
                        "shop.Main.main(Main.java:3)"],"monitors":[{"frame":1,"classes":"shop.Cache"},\
                        {"frame":2,"classes":"shop.Main, shop.Lock","keptByWait":"shop.Lock"}]},\
                        {"caller":"shop.Main.main:4","site":"shop.Main.main:4","operation":"class initialization","kind":"class_init","count":1,\
                        "heldNanos":300000000,"longestNanos":150000000,"estimated":true,"samples":40,"durations":[0,0,0,0,0,0,0,0,0,0,0,1],"waitingNanos":0,"advice":"earlier","withoutMonitorPins":"stays","cause":"class_init",\
                        "monitor":"shop.Slow","holderIndex":0,"stack":["shop.Main.main(Main.java:4)"]},\
                        {"caller":"shop.Files.load:5","site":"java.io.FileInputStream.read:9","operation":"java.io.FileInputStream.read","kind":"io","count":1,\
                        "heldNanos":150000000,"longestNanos":75000000,"durations":[0,0,0,0,0,0,0,0,0,0,1],"waitingNanos":0,"advice":"pool","withoutMonitorPins":"stays","cause":"none","holderIndex":-1,\
                        "stack":["java.base/java.io.FileInputStream.read(FileInputStream.java:9)"]},\
                        {"caller":"(other)","site":"(other)","operation":"(other)","kind":"park","count":2,"heldNanos":50000000,\
                        "longestNanos":25000000,"durations":[0,0,0,0,0,0,0,0,2],"waitingNanos":0,"advice":"raise","withoutMonitorPins":"stays"}],\
                        "rare":{"places":2,"count":3,"heldNanos":16400000}}
                        """);
    }

    @Test
    void whatDidNotHappenIsLeftOut() {
        assertThat(
                        JsonReport.render(
                                new PinReport(
                                        FullReport.WITHOUT_MONITOR_PINS,
                                        1,
                                        List.of(),
                                        List.of(),
                                        PinReport.Rare.NONE,
                                        ActivePinTotals.NONE,
                                        PinReport.CarrierTime.NONE,
                                        FullReport.FORECAST,
                                        PinReport.Starved.NEVER,
                                        PinReport.Delayed.OFF,
                                        PinReport.Relieved.OFF,
                                        PinReport.Scheduler.UNKNOWN,
                                        List.of()),
                                JsonReport.Detail.ALL))
                .isEqualTo(
                        """
                        {"version":2,"agent":"1.0","java":"25.0.1","carriers":true,"monitorsPin":false,"attached":false,\
                        "pinningMode":"monitors do not pin in this JVM; native frames, class initializers and class loaders do",\
                        "uptimeNanos":1,"count":0,"heldNanos":0,"lostNanos":0,"lostShare":0.0,\
                        "scheduler":{"parallelism":0,"size":0,"max":0,"held":0,"queued":0,\
                        "time":{"heldNanos":0,"runningNanos":0,"runnableNanos":0,"idleNanos":0}},\
                        "waiting":{"heldNanos":0,"busyNanos":0},"throttledNanos":0,"pausedNanos":0,\
                        "active":{"count":0,"heldNanos":0,"longestNanos":0,"pins":[]},\
                        "starved":{"periods":0,"nanos":0,"now":false,"past":[]},\
                        "sensors":{"park":"up","io":"was not noticed"},"totals":[],\
                        "durationBoundsNanos":[100000,200000,500000,1000000,2000000,5000000,10000000,20000000,50000000,100000000,200000000,500000000,\
                        1000000000,2000000000,5000000000,10000000000],"sites":[],"rare":{"places":0,"count":0,"heldNanos":0}}
                        """);
    }

    @Test
    void withoutStacksASiteStillNamesWhatHoldsIt() {
        assertThat(JsonReport.render(FullReport.everything(), JsonReport.Detail.NO_STACKS))
                .contains(
                        "\"site\":\"shop.Cache.<init>:28\"",
                        "\"cause\":\"monitor\",\"monitor\":\"shop.Cache\"")
                .contains("\"nativeFrame\":\"shop.Native.call:?\"}")
                .doesNotContain("Cache.java", "holderIndex", "\"monitors\"");
    }

    @Test
    void withoutSitesOnlyWhatIsOfAllIsReported() {
        assertThat(JsonReport.render(FullReport.everything(), JsonReport.Detail.NO_SITES))
                .contains(
                        "\"lostShare\":0.1",
                        "\"ageNanos\":200000000",
                        "\"diagnosis\"",
                        "\"sensors\"")
                .doesNotContain("\"totals\"", "\"sites\"", "durationBoundsNanos");
    }
}
