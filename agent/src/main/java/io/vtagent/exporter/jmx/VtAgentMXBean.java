package io.vtagent.exporter.jmx;

import java.util.Map;

/**
 * The agent's measurements, for JMX: {@code io.vtagent:type=VtAgent}. Its types are open types, so
 * that a client needs no class of the agent's.
 *
 * <p>Figures count from the last {@link #reset}, or else from the agent's start. A reset deletes
 * nothing: this bean counts from that moment, and other outputs, such as {@code /metrics}, are not
 * affected. A client that needs figures that no other client can reset takes a {@link #mark} and
 * calls {@link #since}. The attributes are at most a quarter of a second old.
 */
public interface VtAgentMXBean {
    @MBeanDescription("The version of vt-agent")
    String getVersion();

    @MBeanDescription("A sentence on whether monitors pin virtual threads in this JVM")
    String getPinningMode();

    @MBeanDescription("Whether monitors pin virtual threads in this JVM")
    boolean isMonitorsPin();

    @MBeanDescription("Why virtual threads are slow, in the last minute")
    String getAnswer();

    @MBeanDescription("Seconds since the last reset, or else since the agent's start")
    double getSeconds();

    @MBeanDescription("Held carrier time in seconds, including pins in progress")
    double getHeldSeconds();

    @MBeanDescription("Lost carrier time in seconds: held, and not compensated")
    double getLostSeconds();

    @MBeanDescription("The share of the scheduler's time that was lost to held carriers, 0 to 1")
    double getLostShare();

    @MBeanDescription(
            "The time of all carriers in seconds, by state: held, running, runnable, idle")
    Map<String, Double> getCarrierSeconds();

    @MBeanDescription(
            "How long ready virtual threads had no carrier, in seconds, summed over the threads,"
                    + " by cause: held, busy")
    Map<String, Double> getWaitingSeconds();

    @MBeanDescription("How long a CPU quota stopped the process, in seconds, summed over the CPUs")
    double getThrottledSeconds();

    @MBeanDescription("Held carrier time in seconds, by kind of pin")
    Map<String, Double> getHeldSecondsByKind();

    @MBeanDescription("Pins that have begun")
    long getPins();

    @MBeanDescription("Pins that have begun, by kind")
    Map<String, Long> getPinsByKind();

    @MBeanDescription("Pins in progress")
    long getPinsInProgress();

    @MBeanDescription("The age of the oldest pin in progress, in seconds")
    double getLongestPinInProgressSeconds();

    @MBeanDescription(
            "The sites, by the time that they made virtual threads wait, then by held time, the"
                    + " longest first")
    SiteFigures[] getSites();

    @MBeanDescription("Carriers on which a virtual thread computes without unmounting")
    long getBusyCarriers();

    @MBeanDescription(
            "The code that computed on carriers without unmounting, the longest time first;"
                    + " estimated")
    BusySiteFigures[] getBusySites();

    @MBeanDescription("Carriers that the scheduler aims to keep running")
    long getParallelism();

    @MBeanDescription("Carriers that exist")
    long getCarriers();

    @MBeanDescription("Carriers that may exist")
    long getCarriersMax();

    @MBeanDescription("Carriers that are held, for whatever reason")
    long getCarriersHeld();

    @MBeanDescription("Virtual threads that are ready to run and have no carrier")
    long getQueued();

    @MBeanDescription("Whether every carrier is held with work queued, and a diagnosis was made")
    boolean isStarved();

    @MBeanDescription("Periods in which every carrier was held while work was queued")
    long getStarvedPeriods();

    @MBeanDescription("How long all carriers were held in these periods, in seconds")
    double getStarvedSeconds();

    @MBeanDescription("Virtual threads of the delay probe that have run")
    long getDelayCount();

    @MBeanDescription("How long they waited for a carrier, in seconds, summed over the threads")
    double getDelaySeconds();

    @MBeanDescription(
            "The longest of these waits, in seconds; an upper bound if a longer one ended before"
                    + " the last reset")
    double getDelayMaxSeconds();

    @MBeanDescription(
            "How long a thread of the probe has been waiting to run, in seconds; 0 if none is")
    double getDelayCurrentSeconds();

    @MBeanDescription("Virtual threads that the scheduler has refused since the agent's start")
    long getSubmitFailures();

    @MBeanDescription("Carriers that relief has added")
    long getReliefCarriers();

    @MBeanDescription("Sensors that do not work")
    long getSensorsDown();

    @MBeanDescription("The sensors, each with \"up\" or the reason why it does not work")
    Map<String, String> getSensors();

    @MBeanDescription("The report since the last reset; format is txt or json")
    String report(String format);

    @MBeanDescription(
            "Resets the figures of this bean to 0; /metrics and other reports do not change")
    void reset();

    @MBeanDescription(
            "The newest diagnosis of starvation; empty if there was none since the last reset")
    String diagnosis();

    /** Marks this moment. The newest hundred are kept. */
    @MBeanDescription("Marks this moment for since(mark); the newest 100 marks are kept")
    long mark();

    /**
     * Returns the figures since {@code mark}, as JSON: {@code report} is as at {@code /api/report},
     * with figures since the mark and with the pins in progress; {@code pins} are the single pins
     * that were recorded since, if {@link #keepPins} keeps them; {@code forgotten} is the number of
     * those that are no longer kept.
     *
     * @throws IllegalArgumentException if there is no such mark, or it is no longer kept
     */
    @MBeanDescription("The figures since a mark, as JSON")
    String since(long mark);

    @MBeanDescription("Forgets a mark")
    void forget(long mark);

    /**
     * Keeps the newest {@code most} single pins of at least {@code stack-threshold} from now on, at
     * most 10,000; 0, the initial state, keeps none.
     */
    @MBeanDescription("Keeps the newest single pins from now on, at most 10000; 0 keeps none")
    void keepPins(int most);

    /**
     * Begins a test. The calling thread, and the threads that it starts directly or indirectly,
     * belong to the test until {@link #end}, so the call must come from this JVM. After the first
     * call, the newest 10,000 single pins are kept with their stacks, until a minute after the end
     * of the last test. A test is forgotten after a day, or when 1,000 others have begun after it.
     */
    @MBeanDescription(
            "Begins a test, to which the calling thread and the threads that it starts belong")
    long begin();

    /**
     * Returns the single pins of all threads that were recorded since {@code test} began, the
     * oldest first, and those in progress.
     *
     * @throws IllegalArgumentException if {@link #begin} did not return that number, or {@link
     *     #end} was called
     */
    @MBeanDescription(
            "The single pins since a test began, and those in progress, with their stacks")
    PinsOfTest pinsOf(long test);

    @MBeanDescription("Ends a test; the calling thread then belongs to none")
    void end(long test);
}
