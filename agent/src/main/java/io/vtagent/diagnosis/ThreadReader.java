package io.vtagent.diagnosis;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.jvm.Locks;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.PlatformThreads;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.UnmountedStack;
import io.vtagent.thread.AgentThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what threads wait for: threads that hold carriers, queued virtual threads, platform threads
 * except the agent's own, and all threads for which these wait. Reading stops no thread. Use an
 * instance once, on one thread.
 */
final class ThreadReader {
    /**
     * If there are more platform threads than this, only those for which another thread waits are
     * read.
     */
    private static final int MAX_PLATFORM_THREADS = 2_000;

    private final CarrierPool pool;
    private final HotSpot jvm = HotSpot.ofThisJvm();
    private final Thread[] platform = PlatformThreads.all();

    /** Compares by identity: the {@code hashCode} of a thread may be the application's code. */
    private final IdentityHashMap<Thread, Thread> carriers = new IdentityHashMap<>();

    private final IdentityHashMap<Thread, Thread> waking = new IdentityHashMap<>();

    private final Map<Long, Thread> threads = new LinkedHashMap<>();
    private final Map<Long, ParkedFor> parked = new HashMap<>();

    /**
     * The names of monitors by address, where a sensor knows the object. A sensor knows those for
     * which virtual threads wait, and these are read first.
     */
    private final Map<Long, String> monitors = new HashMap<>();

    private final IdentityHashMap<Thread, ActivePin> pins;
    private final ArrayDeque<Thread> unread = new ArrayDeque<>();

    /**
     * @param pins the pins in progress, by carrier
     */
    ThreadReader(CarrierPool pool, IdentityHashMap<Thread, ActivePin> pins) {
        this.pool = pool;
        this.pins = pins;
    }

    /**
     * @param queued virtual threads that are ready to run
     */
    WaitGraph read(Collection<Thread> queued) {
        for (Thread carrier : pool.carriers()) {
            Thread mounted = pool.mountedOn(carrier);
            if (mounted != null) {
                carriers.put(mounted, carrier);
            }
            add(mounted == null ? carrier : mounted);
        }
        for (Thread thread : queued) {
            waking.put(thread, thread);
            add(thread);
        }
        if (platform.length <= MAX_PLATFORM_THREADS) {
            for (Thread thread : platform) {
                if (!AgentThread.owns(thread) && !pool.isCarrier(thread)) {
                    add(thread);
                }
            }
        }
        List<WaitGraph.Node> nodes = new ArrayList<>();
        while (!unread.isEmpty()) {
            Thread thread = unread.remove();
            Thread carrier = carriers.get(thread);
            boolean ready = isReady(thread);
            nodes.add(
                    new WaitGraph.Node(
                            ThreadLabel.of(thread), ready, ready ? null : waitOf(thread, carrier)));
        }
        return new WaitGraph(nodes);
    }

    /** Returns the thread of that id if it was read, else null. */
    @Nullable Thread thread(long id) {
        return threads.get(id);
    }

    /** Returns what the thread of that id was parked for, with its queue. */
    @Nullable ParkedFor parkedFor(long id) {
        return parked.get(id);
    }

    private void add(Thread thread) {
        if (threads.putIfAbsent(thread.threadId(), thread) == null) {
            unread.add(thread);
        }
    }

    private ThreadLabel named(Thread thread) {
        add(thread);
        return ThreadLabel.of(thread);
    }

    /**
     * Returns whether {@code thread} is a virtual thread that could run and has no carrier. Since
     * JDK 25, a thread whose time limit has expired keeps its old state until a carrier has run the
     * task that wakes it.
     */
    private boolean isReady(Thread thread) {
        return thread.isVirtual()
                && !VirtualThreads.isMounted(thread)
                && (waking.containsKey(thread) || thread.getState() == Thread.State.RUNNABLE);
    }

    private @Nullable Wait waitOf(Thread thread, @Nullable Thread carrier) {
        ParkedFor parkedFor = ParkedFor.of(thread);
        if (parkedFor != null) {
            parked.put(thread.threadId(), parkedFor);
            Thread parkedThread = carrier == null ? thread : carrier;
            boolean timed =
                    VirtualThreads.isTimed(
                            parkedThread,
                            () ->
                                    parkedFor.owner() == null
                                            ? List.of()
                                            : UnmountedStack.of(parkedThread));
            return waitOf(parkedFor, timed);
        }
        if (thread.isVirtual() && carrier == null) {
            return null;
        }
        Thread own = carrier == null ? thread : carrier;
        return switch (own.getState()) {
            case BLOCKED -> monitorOf(thread, own);
            case RUNNABLE -> classOf(own);
            default -> null;
        };
    }

    private Wait waitOf(ParkedFor parkedFor, boolean timed) {
        Thread owner = parkedFor.owner();
        Thread next =
                parkedFor.free() && !parkedFor.queue().isEmpty()
                        ? parkedFor.queue().getFirst()
                        : null;
        return new Wait(
                switch (parkedFor.kind()) {
                    case SYNCHRONIZER -> Wait.Kind.LOCK;
                    case CONDITION -> Wait.Kind.SIGNAL;
                    case TASK -> Wait.Kind.TASK;
                },
                parkedFor.name(),
                owner == null ? null : named(owner),
                next == null ? null : named(next),
                timed);
    }

    /**
     * Returns the monitor that {@code thread} waits to enter. Either a sensor knows it, or the JVM
     * knows its address and its owner.
     */
    private @Nullable Wait monitorOf(Thread thread, Thread own) {
        ActivePin pin = pins.get(own);
        Object monitor =
                pin != null && pin.kind() == PinKind.ENTER && pin.thread() == thread
                        ? pin.monitor()
                        : null;
        long pending = jvm.pendingMonitor(own);
        pending = own.isAlive() ? pending : HotSpot.NONE;
        if (monitor == null && pending <= HotSpot.NONE) {
            return null;
        }
        String name =
                monitor == null
                        ? monitors.getOrDefault(pending, "monitor 0x" + Long.toHexString(pending))
                        : Locks.nameOf(monitor);
        if (monitor != null && pending > HotSpot.NONE) {
            monitors.put(pending, name);
        }
        long owner =
                monitor == null || pending > HotSpot.NONE
                        ? jvm.ownerOf(pending, platform)
                        : jvm.ownerOf(monitor, platform);
        return new Wait(
                Wait.Kind.MONITOR, name, owner <= HotSpot.NONE ? null : threadOf(owner), null);
    }

    private @Nullable Wait classOf(Thread own) {
        HotSpot.AwaitedClass awaited = jvm.awaitedClass(own);
        if (awaited == null || !own.isAlive()) {
            return null; // memory of a thread that has ended may contain anything
        }
        ThreadLabel initializer = null;
        for (Thread thread : platform) {
            if (jvm.isThread(thread, awaited.initializer())) {
                initializer = threadOf(thread.threadId());
            }
        }
        return new Wait(Wait.Kind.CLASS, awaited.name(), initializer, null);
    }

    /**
     * Returns the label of the thread of that id. The JVM reports a mounted virtual thread by its
     * carrier's id or by its own.
     */
    private ThreadLabel threadOf(long id) {
        Thread known = threads.get(id);
        for (Thread thread : platform) {
            known = thread.threadId() == id ? thread : known;
        }
        for (Map.Entry<Thread, Thread> mounted : carriers.entrySet()) {
            known = mounted.getValue().threadId() == id ? mounted.getKey() : known;
        }
        return known == null ? ThreadLabel.ofThread(id) : named(known);
    }
}
