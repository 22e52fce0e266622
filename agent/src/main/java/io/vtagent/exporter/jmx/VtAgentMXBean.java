package io.vtagent.exporter.jmx;

import java.util.Map;

/**
 * The agent's measurements, for JMX: {@code io.vtagent:type=VtAgent}. Its types are open types, so
 * that a client needs no class of the agent's.
 *
 * <p>Figures count from the last {@link #reset}, or else from the agent's start. A reset deletes
 * nothing: it is a mark from which this bean counts, and it affects no other output, such as {@code
 * /metrics}. A client that needs the figures since a moment of its own, undisturbed by other
 * clients, takes a {@link #mark} and calls {@link #since}. The attributes are at most a quarter of
 * a second old.
 */
public interface VtAgentMXBean {
    @MBeanDescription("The version of vt-agent")
    String getVersion();

    @MBeanDescription(
            "Whether a monitor pins a virtual thread to its carrier in this JVM, in words")
    String getPinningMode();

    @MBeanDescription("Whether a thread that holds a monitor cannot unmount in this JVM")
    boolean isMonitorsPin();

    @MBeanDescription("Why virtual threads are slow, in the last minute")
    String getAnswer();

    @MBeanDescription("Seconds since the last reset, or since the agent began")
    double getSeconds();

    @MBeanDescription("Carrier time that was held, in seconds, also by pins that have not ended")
    double getHeldSeconds();

    @MBeanDescription("Carrier time held that nobody compensated for, in seconds")
    double getLostSeconds();

    @MBeanDescription("The part of the scheduler's time that was lost to held carriers, 0 to 1")
    double getLostShare();

    @MBeanDescription(
            "The time of all carriers, in seconds, by state: held, running, runnable, idle")
    Map<String, Double> getCarrierSeconds();

    @MBeanDescription(
            "How long virtual threads that were ready to run had no carrier, in seconds, summed"
                    + " over the threads, by cause: held, busy")
    Map<String, Double> getWaitingSeconds();

    @MBeanDescription("How long a CPU quota stopped the process, in seconds, summed over the CPUs")
    double getThrottledSeconds();

    @MBeanDescription("Carrier time that was held, in seconds, by kind of pin")
    Map<String, Double> getHeldSecondsByKind();

    @MBeanDescription("Pins that have begun")
    long getPins();

    @MBeanDescription("Pins that have begun, by kind")
    Map<String, Long> getPinsByKind();

    @MBeanDescription("Pins that have not ended")
    long getPinsInProgress();

    @MBeanDescription("The age of the oldest pin in progress, in seconds")
    double getLongestPinInProgressSeconds();

    @MBeanDescription(
            "The sites, the one that made virtual threads wait for the longest time first, then by"
                    + " held time")
    SiteFigures[] getSites();

    @MBeanDescription("Carriers on which a virtual thread computes without unmounting")
    long getBusyCarriers();

    @MBeanDescription(
            "The code that computed on carriers without unmounting, the one with the longest time"
                    + " first; estimated")
    BusySiteFigures[] getBusySites();

    @MBeanDescription("Carriers that the scheduler aims to keep running")
    long getParallelism();

    @MBeanDescription("Carriers that exist")
    long getCarriers();

    @MBeanDescription("Carriers that may exist")
    long getCarriersMax();

    @MBeanDescription("Carriers that are held, whatever by")
    long getCarriersHeld();

    @MBeanDescription("Virtual threads that are ready to run and have no carrier")
    long getQueued();

    @MBeanDescription(
            "Whether every carrier has been held, with work queued, for long enough to be"
                    + " diagnosed")
    boolean isStarved();

    @MBeanDescription("Periods in which every carrier was held while work was queued")
    long getStarvedPeriods();

    @MBeanDescription("The sum of those periods, in seconds")
    double getStarvedSeconds();

    @MBeanDescription("Virtual threads of the probe that were started and have run")
    long getDelayCount();

    @MBeanDescription("How late they began to run, in seconds, summed up")
    double getDelaySeconds();

    @MBeanDescription(
            "The longest of these delays, in seconds; no more than this where a longer one was"
                    + " before the last reset")
    double getDelayMaxSeconds();

    @MBeanDescription("How long one has been waiting that has not run yet, in seconds")
    double getDelayCurrentSeconds();

    @MBeanDescription("Virtual threads that the scheduler refused since the agent began")
    long getSubmitFailures();

    @MBeanDescription("Carriers that relief has added")
    long getReliefCarriers();

    @MBeanDescription("Sensors that do not work")
    long getSensorsDown();

    @MBeanDescription("The sensors, each with \"up\" or the reason why it does not work")
    Map<String, String> getSensors();

    @MBeanDescription("The report since the last reset; format: txt or json")
    String report(String format);

    @MBeanDescription(
            "From now on this bean's figures begin at 0; those of /metrics and of other reports"
                    + " stay")
    void reset();

    @MBeanDescription(
            "The diagnosis of the newest stall: why no virtual thread could run; empty if there has"
                    + " been none since the last reset")
    String diagnosis();

    /** Marks this moment. The newest hundred are kept. */
    @MBeanDescription("Marks this moment, for since(mark); the newest 100 are kept")
    long mark();

    /**
     * Returns the figures since {@code mark}, as JSON: {@code report} is as at {@code /api/report},
     * with figures since the mark and with the pins in progress; {@code pins} are the single pins
     * that were recorded since, if {@link #keepPins} keeps them; {@code forgotten} is the number of
     * those that are not kept any more.
     *
     * @throws IllegalArgumentException if there is no such mark, or not any more
     */
    @MBeanDescription("What happened since a mark, as JSON")
    String since(long mark);

    @MBeanDescription("Forgets a mark")
    void forget(long mark);

    /**
     * Keeps the newest {@code most} single pins of at least {@code stack-threshold} from now on, at
     * most 10,000; 0 keeps none, as at the beginning.
     */
    @MBeanDescription("Keeps single pins from now on, the newest ones, at most 10000; 0 keeps none")
    void keepPins(int most);

    /**
     * A test begins. The calling thread, and those that it and they start, belong to it until
     * {@link #end}: this bean is to be called in its own JVM. From the first call on single pins
     * are kept with their stacks, the newest 10,000, until a minute after the last test has ended.
     * A test is forgotten after a day, and when 1,000 others have begun after it.
     */
    @MBeanDescription(
            "A test begins on the calling thread, to which the threads that it starts belong")
    long begin();

    /**
     * The single pins that were noticed since {@code test} began, whosever they are, the oldest
     * first, and those in progress.
     *
     * @throws IllegalArgumentException if {@link #begin} did not give that number, or {@link #end}
     *     was called
     */
    @MBeanDescription(
            "The single pins since a test began, and those in progress, with their stacks")
    PinsOfTest pinsOf(long test);

    @MBeanDescription("A test has ended; the calling thread belongs to none")
    void end(long test);
}
