package io.vtagent.jvm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.internal.misc.Unsafe;

/**
 * The internals of the JDK and of HotSpot that the agent uses: classes, methods, constructors,
 * fields, and fields of HotSpot's C++ objects ({@link VmStructs}). No other class names one of them
 * in a string. An entry has the feature releases in which it is as described, and what needs it.
 *
 * <p>The table is loaded at the agent's start. So it has no static state except its constants and
 * searches for nothing by itself, and a search initializes no class unless its Javadoc notes that.
 * What code refers to without a string (such as {@code jdk.internal.misc.Unsafe}) is here to be
 * checked; the JVM links it. Thread-safe.
 */
public enum JdkInternal {
    // virtual threads
    VIRTUAL_THREAD("java.lang.VirtualThread", "all sensors"),
    PARK_ON_CARRIER_THREAD(
            "java.lang.VirtualThread", "parkOnCarrierThread", "(ZJ)V", "sensor park"),
    ON_PINNED(
            "java.lang.VirtualThread$VThreadContinuation",
            "onPinned",
            "(Ljdk/internal/vm/Continuation$Pinned;)V",
            "sensor park"),
    SUBMIT_FAILED(
            "java.lang.VirtualThread",
            "submitFailed",
            "(Ljava/util/concurrent/RejectedExecutionException;)V",
            "vthread.submit.failed"),
    RUN_CONTINUATION("java.lang.VirtualThread", "runContinuation", "()V", "relief"),
    DEFAULT_SCHEDULER(
            "java.lang.VirtualThread",
            "DEFAULT_SCHEDULER",
            "static Ljava/util/concurrent/ForkJoinPool;",
            "sensors sampler and vm, vthread.carriers, vthread.scheduler.queued"),
    CARRIER_THREAD("java.lang.VirtualThread", "carrierThread", "Ljava/lang/Thread;", "all sensors"),
    CONTINUATION_THREAD(
            "java.lang.VirtualThread$VThreadContinuation$1",
            "val$vthread",
            "Ljava/lang/VirtualThread;",
            "sensor sampler"),
    VIRTUAL_THREAD_BUILDER(
            "java.lang.ThreadBuilders$VirtualThreadBuilder",
            "<init>",
            "(Ljava/util/concurrent/Executor;)V",
            "self-tests of all sensors"),
    CARRIER_INIT(
            "jdk.internal.misc.CarrierThread",
            "<init>",
            "(Ljava/util/concurrent/ForkJoinPool;)V",
            "vthread.relief.carriers, self-tests"),
    CARRIER_LOCAL_INIT("jdk.internal.misc.CarrierThreadLocal", "<init>", "()V", "all sensors"),
    CARRIER_LOCAL_GET(
            "jdk.internal.misc.CarrierThreadLocal", "get", "()Ljava/lang/Object;", "all sensors"),
    CARRIER_LOCAL_SET(
            "jdk.internal.misc.CarrierThreadLocal", "set", "(Ljava/lang/Object;)V", "all sensors"),

    // the brackets around file I/O
    BLOCKER_BEGIN_LONG("jdk.internal.misc.Blocker", "begin", "static ()J", 0, 22, "sensor io"),
    BLOCKER_END_LONG("jdk.internal.misc.Blocker", "end", "static (J)V", 0, 22, "sensor io"),
    BLOCKER_BEGIN("jdk.internal.misc.Blocker", "begin", "static ()Z", 23, 0, "sensor io"),
    BLOCKER_END("jdk.internal.misc.Blocker", "end", "static (Z)V", 23, 0, "sensor io"),
    BLOCKER_COMPENSATE(
            "jdk.internal.misc.Blocker$ForkJoinPools",
            "beginCompensatedBlock",
            "static (Ljava/util/concurrent/ForkJoinPool;)J",
            0,
            22,
            "sensor io"),
    CARRIER_COMPENSATE(
            "jdk.internal.misc.CarrierThread$ForkJoinPools",
            "beginCompensatedBlock",
            "static (Ljava/util/concurrent/ForkJoinPool;)J",
            23,
            0,
            "sensor io"),

    // continuations
    CONTINUATION_INIT(
            "jdk.internal.vm.Continuation",
            "<init>",
            "(Ljdk/internal/vm/ContinuationScope;Ljava/lang/Runnable;)V",
            "pinning mode"),
    CONTINUATION_YIELD(
            "jdk.internal.vm.Continuation",
            "yield",
            "static (Ljdk/internal/vm/ContinuationScope;)Z",
            "pinning mode"),
    CONTINUATION_RUN("jdk.internal.vm.Continuation", "run", "()V", "pinning mode"),
    CONTINUATION_IS_DONE("jdk.internal.vm.Continuation", "isDone", "()Z", "pinning mode"),
    CONTINUATION_ON_PINNED(
            "jdk.internal.vm.Continuation",
            "onPinned",
            "(Ljdk/internal/vm/Continuation$Pinned;)V",
            "pinning mode"),
    CONTINUATION_PIN("jdk.internal.vm.Continuation", "pin", "static ()V", "all sensors"),
    CONTINUATION_UNPIN("jdk.internal.vm.Continuation", "unpin", "static ()V", "all sensors"),
    CONTINUATION_TARGET(
            "jdk.internal.vm.Continuation", "target", "Ljava/lang/Runnable;", "sensor sampler"),
    CONTINUATION_SCOPE(
            "jdk.internal.vm.ContinuationScope", "<init>", "(Ljava/lang/String;)V", "pinning mode"),
    PINNED_VALUES(
            "jdk.internal.vm.Continuation$Pinned",
            "values",
            "static ()[Ljdk/internal/vm/Continuation$Pinned;",
            "sensor vm"),

    // threads, objects and stacks
    OBJECT_WAIT("java.lang.Object", "wait", "(J)V", "sensor wait"),
    THREAD_CONTINUATION(
            "java.lang.Thread", "cont", "Ljdk/internal/vm/Continuation;", "sensor sampler"),
    CURRENT_CARRIER(
            "java.lang.Thread",
            "currentCarrierThread",
            "static ()Ljava/lang/Thread;",
            "all sensors"),
    ALL_THREADS("java.lang.Thread", "getAllThreads", "static ()[Ljava/lang/Thread;", "diagnosis"),
    JAVA_THREAD("java.lang.Thread", "eetop", "J", "HotSpot's memory"),
    THREAD_QUEUE("java.lang.Thread", "threadLocalRandomProbe", "I", "delay probe"),
    THREAD_LOCALS(
            "java.lang.Thread",
            "threadLocals",
            "Ljava/lang/ThreadLocal$ThreadLocalMap;",
            "app-registry"),
    INHERITABLE_THREAD_LOCALS(
            "java.lang.Thread",
            "inheritableThreadLocals",
            "Ljava/lang/ThreadLocal$ThreadLocalMap;",
            "app-registry"),
    THREAD_LOCAL_TABLE(
            "java.lang.ThreadLocal$ThreadLocalMap",
            "table",
            "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;",
            "context, otel-span-events"),
    THREAD_LOCAL_VALUE(
            "java.lang.ThreadLocal$ThreadLocalMap$Entry",
            "value",
            "Ljava/lang/Object;",
            "context, otel-span-events"),
    CALL_PREMAIN(
            "sun.instrument.InstrumentationImpl",
            "loadClassAndCallPremain",
            "(Ljava/lang/String;Ljava/lang/String;)V",
            "start by OpenTelemetry before main"),
    STACK_AS_OBJECT(
            "java.lang.Thread",
            "getStackTrace0",
            "()Ljava/lang/Object;",
            0,
            26,
            "sensor sampler, diagnosis"),
    STACK_AS_ARRAY(
            "java.lang.Thread",
            "getStackTrace0",
            "()[Ljava/lang/StackTraceElement;",
            27,
            0,
            "sensor sampler, diagnosis"),
    FRAME_CLASS(
            "java.lang.StackTraceElement",
            "declaringClassObject",
            "Ljava/lang/Class;",
            "sensor sampler, diagnosis"),
    FINISH_FRAMES_OF(
            "java.lang.StackTraceElement",
            "of",
            "static ([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
            0,
            26,
            "sensor sampler, diagnosis"),
    FINISH_FRAMES(
            "java.lang.StackTraceElement",
            "finishInit",
            "static ([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
            27,
            0,
            "sensor sampler, diagnosis"),
    LIVE_STACK_WALKER(
            "java.lang.LiveStackFrame",
            "getStackWalker",
            "static (Ljava/util/Set;)Ljava/lang/StackWalker;",
            "sites of pins by monitors"),
    LIVE_MONITORS(
            "java.lang.LiveStackFrame",
            "getMonitors",
            "()[Ljava/lang/Object;",
            "sites of pins by monitors"),
    LIVE_LOCALS(
            "java.lang.LiveStackFrame",
            "getLocals",
            "()[Ljava/lang/Object;",
            "sites of pins by monitors"),
    BACKTRACE("java.lang.Throwable", "backtrace", "Ljava/lang/Object;", "cost of walking stacks"),

    // lists of threads
    TRACKS_ALL_THREADS(
            "jdk.internal.vm.ThreadContainers", "trackAllThreads", "static ()Z", "vthread.threads"),
    CONTAINERS(
            "jdk.internal.vm.ThreadContainers",
            "CONTAINER_REGISTRY",
            "static Ljava/util/Set;",
            "vthread.threads"),
    ROOT_THREADS(
            "jdk.internal.vm.ThreadContainers$RootContainer$TrackingRootContainer",
            "VTHREADS",
            "static Ljava/util/Set;",
            "vthread.threads"),
    SHARED_THREADS(
            "jdk.internal.vm.SharedThreadContainer",
            "virtualThreads",
            "Ljava/util/Set;",
            "vthread.threads"),
    CONTAINER_NAME(
            "jdk.internal.vm.ThreadContainer", "name", "()Ljava/lang/String;", "command threads"),
    CONTAINER_COUNT("jdk.internal.vm.ThreadContainer", "threadCount", "()J", "vthread.threads"),
    CONTAINER_THREADS(
            "jdk.internal.vm.ThreadContainer",
            "threads",
            "()Ljava/util/stream/Stream;",
            "vthread.threads"),
    THREAD_CONTAINER(
            "java.lang.Thread",
            "container",
            "Ljdk/internal/vm/ThreadContainer;",
            "vthread.threads"),
    THREAD_SCOPE(
            "java.lang.Thread",
            "headStackableScopes",
            "Ljdk/internal/vm/StackableScope;",
            "vthread.threads"),
    PREVIOUS_SCOPE(
            "jdk.internal.vm.StackableScope",
            "previous",
            "Ljdk/internal/vm/StackableScope;",
            "vthread.threads"),
    THREAD_FLOCK("jdk.internal.misc.ThreadFlock", "vthread.threads"),
    THREAD_SCHEDULER(
            "java.lang.VirtualThread",
            "scheduler",
            "Ljava/util/concurrent/Executor;",
            "command threads"),
    STACK_OF_UNMOUNTED(
            "java.lang.VirtualThread",
            "tryGetStackTrace",
            "()[Ljava/lang/StackTraceElement;",
            0,
            26,
            "command threads"),

    // the scheduler
    POOL_QUEUES(
            "java.util.concurrent.ForkJoinPool",
            "queues",
            "[Ljava/util/concurrent/ForkJoinPool$WorkQueue;",
            "sensor sampler"),
    QUEUE_OWNER(
            "java.util.concurrent.ForkJoinPool$WorkQueue",
            "owner",
            "Ljava/util/concurrent/ForkJoinWorkerThread;",
            "sensor sampler"),
    QUEUE_TASKS(
            "java.util.concurrent.ForkJoinPool$WorkQueue",
            "array",
            "[Ljava/util/concurrent/ForkJoinTask;",
            "diagnosis"),
    QUEUE_BASE("java.util.concurrent.ForkJoinPool$WorkQueue", "base", "I", "vthread.busy.site"),
    QUEUE_TOP("java.util.concurrent.ForkJoinPool$WorkQueue", "top", "I", "vthread.busy.site"),
    QUEUE_SOURCE("java.util.concurrent.ForkJoinPool$WorkQueue", "source", "I", "vthread.busy.site"),
    QUEUE_STEALS(
            "java.util.concurrent.ForkJoinPool$WorkQueue", "nsteals", "I", "vthread.busy.site"),
    BEGIN_COMPENSATED_BLOCK(
            "java.util.concurrent.ForkJoinPool", "beginCompensatedBlock", "()J", "relief"),
    END_COMPENSATED_BLOCK(
            "java.util.concurrent.ForkJoinPool", "endCompensatedBlock", "(J)V", "relief"),

    // locks
    EXCLUSIVE_OWNER(
            "java.util.concurrent.locks.AbstractOwnableSynchronizer",
            "getExclusiveOwnerThread",
            "()Ljava/lang/Thread;",
            "diagnosis"),
    SYNCHRONIZER_STATE(
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
            "getState",
            "()I",
            "diagnosis"),
    LONG_SYNCHRONIZER_STATE(
            "java.util.concurrent.locks.AbstractQueuedLongSynchronizer",
            "getState",
            "()J",
            "diagnosis"),
    CONDITION_OWNER(
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
            "this$0",
            "Ljava/util/concurrent/locks/AbstractQueuedSynchronizer;",
            "diagnosis"),
    LONG_CONDITION_OWNER(
            "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject",
            "this$0",
            "Ljava/util/concurrent/locks/AbstractQueuedLongSynchronizer;",
            "diagnosis"),
    READERS_SHIFT(
            "java.util.concurrent.locks.ReentrantReadWriteLock$Sync",
            "SHARED_SHIFT",
            "static I",
            "diagnosis"),
    FIRST_READER(
            "java.util.concurrent.locks.ReentrantReadWriteLock$Sync",
            "firstReader",
            "Ljava/lang/Thread;",
            "diagnosis"),
    FIRST_READER_HOLDS(
            "java.util.concurrent.locks.ReentrantReadWriteLock$Sync",
            "firstReaderHoldCount",
            "I",
            "diagnosis"),
    TASK_RUNNER("java.util.concurrent.FutureTask", "runner", "Ljava/lang/Thread;", "diagnosis"),
    COUNTER_CELL("java.util.concurrent.atomic.Striped64$Cell", "sensor enter"),

    // the JVM
    AGENT_PROPERTIES(
            "jdk.internal.vm.VMSupport",
            "getAgentProperties",
            "static ()Ljava/util/Properties;",
            "start, commands attach, set and detach"),
    IS_DUMPING_ARCHIVE("jdk.internal.misc.CDS", "isDumpingArchive", "static ()Z", "training runs"),
    RUNTIME_ARGUMENTS(
            "jdk.internal.misc.VM",
            "getRuntimeArguments",
            "static ()[Ljava/lang/String;",
            "AOT caches"),
    JAVA_LANG_ACCESS(
            "jdk.internal.access.SharedSecrets",
            "getJavaLangAccess",
            "static ()Ljdk/internal/access/JavaLangAccess;",
            "report at exit"),
    REGISTER_SHUTDOWN_HOOK(
            "jdk.internal.access.JavaLangAccess",
            "registerShutdownHook",
            "(IZLjava/lang/Runnable;)V",
            "report at exit"),
    SHUTDOWN_HOOKS("java.lang.Shutdown", "hooks", "static [Ljava/lang/Runnable;", "command detach"),
    COLLECTOR_BEANS(
            "sun.management.ManagementFactoryHelper",
            "getGarbageCollectorMXBeans",
            "static ()Ljava/util/List;",
            "sensor sampler"),
    RUNTIME_BEAN(
            "sun.management.ManagementFactoryHelper",
            "getHotspotRuntimeMBean",
            "static ()Lsun/management/HotspotRuntimeMBean;",
            "sensor sampler"),
    SAFEPOINT_COUNT(
            "sun.management.HotspotRuntimeMBean", "getSafepointCount", "()J", "sensor sampler"),
    SAFEPOINT_TIME(
            "sun.management.HotspotRuntimeMBean", "getTotalSafepointTime", "()J", "sensor sampler"),
    PERF("jdk.internal.perf.Perf", "getPerf", "static ()Ljdk/internal/perf/Perf;", "sensor enter"),
    PERF_ATTACH("jdk.internal.perf.Perf", "attach", "(I)Ljava/nio/ByteBuffer;", "sensor enter"),
    BUFFER_ADDRESS("java.nio.Buffer", "address", "J", "sensor enter"),
    CONSTANT_POOL(
            "java.lang.Class",
            "getConstantPool",
            "()Ljdk/internal/reflect/ConstantPool;",
            "class-initialization waits"),
    CONSTANT_POOL_SIZE(
            "jdk.internal.reflect.ConstantPool", "getSize", "()I", "class-initialization waits"),
    CONSTANT_POOL_TAG(
            "jdk.internal.reflect.ConstantPool",
            "getTagAt",
            "(I)Ljdk/internal/reflect/ConstantPool$Tag;",
            "class-initialization waits"),
    CONSTANT_POOL_CLASS(
            "jdk.internal.reflect.ConstantPool",
            "getClassAtIfLoaded",
            "(I)Ljava/lang/Class;",
            "class-initialization waits"),
    CONSTANT_POOL_CLASS_TAG(
            "jdk.internal.reflect.ConstantPool$Tag",
            "CLASS",
            "static Ljdk/internal/reflect/ConstantPool$Tag;",
            "class-initialization waits"),
    FIND_SYMBOL(
            "jdk.internal.loader.NativeLibrary",
            "findEntry0",
            "static (JLjava/lang/String;)J",
            "HotSpot's memory"),
    DONT_INLINE("jdk.internal.vm.annotation.DontInline", "sensor enter"),
    DATA_DUMP(
            "sun.tools.attach.HotSpotVirtualMachine",
            "remoteDataDump",
            "([Ljava/lang/Object;)Ljava/io/InputStream;",
            "command attach"),

    // files of the kernel
    FILE_OPEN("sun.nio.fs.UnixNativeDispatcher", "open0", "static (JII)I", "run queue delay"),
    FILE_READ("sun.nio.fs.UnixNativeDispatcher", "read0", "static (IJI)I", "run queue delay"),
    FILE_CLOSE("sun.nio.fs.UnixNativeDispatcher", "close0", "static (I)V", "run queue delay"),
    ALLOCATE_BUFFER(
            "sun.nio.fs.NativeBuffers",
            "allocNativeBuffer",
            "static (I)Lsun/nio/fs/NativeBuffer;",
            "run queue delay"),
    NATIVE_BUFFER_ADDRESS("sun.nio.fs.NativeBuffer", "address", "()J", "run queue delay"),

    // Flight Recorder
    PLATFORM_EVENT_TYPE(
            "jdk.jfr.EventType",
            "platformEventType",
            "Ljdk/jfr/internal/PlatformEventType;",
            "jfr-events"),
    EVENT_STACK_OFFSET("jdk.jfr.internal.PlatformEventType", "stackTraceOffset", "I", "jfr-events"),
    EVENT_WRITER("jdk.jfr.internal.event.EventWriter", "jfr-events"),
    EVENT_WRITER_FACTORY("jdk.jfr.internal.event.EventWriterFactory", "jfr-events"),
    EVENT_STRINGS("jdk.jfr.internal.StringPool", "jfr-events"),
    EVENT_BITS("jdk.jfr.internal.Bits", "jfr-events"),

    // memory
    UNSAFE("jdk.internal.misc.Unsafe", "getUnsafe", "static ()Ljdk/internal/misc/Unsafe;", "start"),
    UNSAFE_ADDRESS_SIZE("jdk.internal.misc.Unsafe", "addressSize", "()I", "HotSpot's memory"),
    UNSAFE_PAGE_SIZE("jdk.internal.misc.Unsafe", "pageSize", "()I", "all sensors"),
    UNSAFE_ALLOCATE("jdk.internal.misc.Unsafe", "allocateMemory", "(J)J", "sensor enter"),
    UNSAFE_SET("jdk.internal.misc.Unsafe", "setMemory", "(JJB)V", "sensor enter"),
    UNSAFE_OFFSET(
            "jdk.internal.misc.Unsafe",
            "objectFieldOffset",
            "(Ljava/lang/Class;Ljava/lang/String;)J",
            "all sensors"),
    UNSAFE_ENSURE_INITIALIZED(
            "jdk.internal.misc.Unsafe",
            "ensureClassInitialized",
            "(Ljava/lang/Class;)V",
            "HotSpot's memory"),
    UNSAFE_SHOULD_BE_INITIALIZED(
            "jdk.internal.misc.Unsafe",
            "shouldBeInitialized",
            "(Ljava/lang/Class;)Z",
            "class-initialization waits"),
    UNSAFE_ADDRESS_AT("jdk.internal.misc.Unsafe", "getAddress", "(J)J", "HotSpot's memory"),
    UNSAFE_BYTE_AT("jdk.internal.misc.Unsafe", "getByte", "(J)B", "HotSpot's memory"),
    UNSAFE_INT_AT("jdk.internal.misc.Unsafe", "getInt", "(J)I", "HotSpot's memory"),
    UNSAFE_LONG_AT("jdk.internal.misc.Unsafe", "getLong", "(J)J", "HotSpot's memory"),
    UNSAFE_PUT_BYTE_AT("jdk.internal.misc.Unsafe", "putByte", "(JB)V", "run queue delay"),
    UNSAFE_INT("jdk.internal.misc.Unsafe", "getInt", "(Ljava/lang/Object;J)I", "sensor enter"),
    UNSAFE_LONG("jdk.internal.misc.Unsafe", "getLong", "(Ljava/lang/Object;J)J", "sensor enter"),
    UNSAFE_LONG_VOLATILE(
            "jdk.internal.misc.Unsafe",
            "getLongVolatile",
            "(Ljava/lang/Object;J)J",
            "HotSpot's memory"),
    UNSAFE_PUT_INT("jdk.internal.misc.Unsafe", "putInt", "(Ljava/lang/Object;JI)V", "jfr-events"),
    UNSAFE_PUT_LONG("jdk.internal.misc.Unsafe", "putLong", "(Ljava/lang/Object;JJ)V", "jfr-events"),
    UNSAFE_REFERENCE(
            "jdk.internal.misc.Unsafe",
            "getReference",
            "(Ljava/lang/Object;J)Ljava/lang/Object;",
            "cost of walking stacks"),
    UNSAFE_STATIC_BASE(
            "jdk.internal.misc.Unsafe",
            "staticFieldBase",
            "(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
            "sensors sampler and vm, vthread.carriers, vthread.scheduler.queued"),
    UNSAFE_STATIC_OFFSET(
            "jdk.internal.misc.Unsafe",
            "staticFieldOffset",
            "(Ljava/lang/reflect/Field;)J",
            "sensors sampler and vm, vthread.carriers, vthread.scheduler.queued"),
    UNSAFE_REFERENCE_VOLATILE(
            "jdk.internal.misc.Unsafe",
            "getReferenceVolatile",
            "(Ljava/lang/Object;J)Ljava/lang/Object;",
            "all sensors"),

    // HotSpot
    VM_KLASS_OFFSET("java_lang_Class", "_klass_offset", "HotSpot's memory"),
    VM_THREAD_STATE("JavaThread", "_thread_state", "HotSpot's memory"),
    VM_OS_THREAD_OF_JAVA_THREAD("JavaThread", "_osthread", 0, 24, "HotSpot's memory"),
    VM_OS_THREAD("Thread", "_osthread", 25, 0, "HotSpot's memory"),
    VM_KERNEL_ID("OSThread", "_thread_id", "HotSpot's memory"),
    VM_PENDING_MONITOR("JavaThread", "_current_pending_monitor", "HotSpot's memory"),
    VM_STACK_BASE("JavaThread", "_stack_base", "HotSpot's memory"),
    VM_STACK_SIZE("JavaThread", "_stack_size", "HotSpot's memory"),
    VM_LOCK_STACK("JavaThread", "_lock_stack", "HotSpot's memory"),
    VM_LOCK_STACK_BASE("LockStack", "_base[0]", "HotSpot's memory"),
    VM_INIT_STATE("InstanceKlass", "_init_state", "HotSpot's memory"),
    VM_INIT_THREAD("InstanceKlass", "_init_thread", "HotSpot's memory"),
    VM_CLASS_NAME("Klass", "_name", "HotSpot's memory"),
    VM_SYMBOL_LENGTH("Symbol", "_length", "HotSpot's memory"),
    VM_SYMBOL_BODY("Symbol", "_body[0]", "HotSpot's memory"),
    VM_MONITOR_OWNER("ObjectMonitor", "_owner", "HotSpot's memory, sensor enter"),
    VM_MONITOR_OBJECT("ObjectMonitor", "_object", "HotSpot's memory"),
    VM_MONITOR_CONTENTIONS("ObjectMonitor", "_contentions", "sensor enter");

    /** The state of an entry in this JVM. */
    public enum State {
        /** It is as described. */
        PRESENT,
        /** It should be there, and is not, or is otherwise. */
        MISSING,
        /** It is of other releases, or of a module that this runtime does not have. */
        ABSENT,
        /** It cannot be checked here. */
        UNKNOWN
    }

    private static final String STATIC = "static ";
    private static final String CONSTRUCTOR = "<init>";

    private final String type;

    /** Empty for a class. */
    private final String member;

    /** Empty for a class and for a field of HotSpot's. */
    private final String descriptor;

    private final boolean isStatic;
    private final int since;
    private final int until;
    private final String neededBy;

    JdkInternal(String type, String neededBy) {
        this(type, "", "", 0, 0, neededBy);
    }

    JdkInternal(String structure, String field, String neededBy) {
        this(structure, field, "", 0, 0, neededBy);
    }

    JdkInternal(String structure, String field, int since, int until, String neededBy) {
        this(structure, field, "", since, until, neededBy);
    }

    JdkInternal(String type, String member, String descriptor, String neededBy) {
        this(type, member, descriptor, 0, 0, neededBy);
    }

    /**
     * @param since the first feature release with it; 0 if the first with virtual threads has it
     * @param until the last feature release with it; 0 if there is none yet
     */
    JdkInternal(
            String type, String member, String descriptor, int since, int until, String neededBy) {
        this.type = type;
        this.member = member;
        isStatic = descriptor.startsWith(STATIC);
        this.descriptor = isStatic ? descriptor.substring(STATIC.length()) : descriptor;
        this.since = since;
        this.until = until;
        this.neededBy = neededBy;
    }

    /** Returns the name of the class, with dots; for a field of HotSpot's, that of its type. */
    public String typeName() {
        return type;
    }

    /** Returns the name of the class as class files have it, with slashes. */
    public String internalName() {
        return type.replace('.', '/');
    }

    /** Returns the name of the method, constructor or field; empty for a class. */
    public String member() {
        return member;
    }

    /** Returns the descriptor of the method, constructor or field as class files have it. */
    public String descriptor() {
        return descriptor;
    }

    /** Returns what does not work, or not as well, without it. */
    public String neededBy() {
        return neededBy;
    }

    /** Returns whether the JDK of this feature release has it. */
    public boolean isOf(int feature) {
        return feature >= since && (until == 0 || feature <= until);
    }

    /** Returns the releases that have it, in words; empty if all have. */
    public String releases() {
        if (since == 0) {
            return until == 0 ? "" : "up to JDK " + until;
        }
        return until == 0 ? "from JDK " + since : "JDK " + since + " to " + until;
    }

    /** Returns the class, which is not initialized by this. */
    public Class<?> type() throws ClassNotFoundException {
        return named(type);
    }

    /** Returns the class, initialized. */
    public Class<?> initializedType() throws ClassNotFoundException {
        return Class.forName(type);
    }

    private static Class<?> named(String name) throws ClassNotFoundException {
        // not that of the boot loader: a security manager would want a permission for it
        return Class.forName(name, false, JdkInternal.class.getClassLoader());
    }

    /** Returns the field, which is not accessible yet. */
    public Field field() throws ClassNotFoundException, NoSuchFieldException {
        try {
            return type().getDeclaredField(member);
        } catch (NoSuchFieldException missing) {
            throw new NoSuchFieldException(toString()); // the JDK's names the field alone
        }
    }

    /** Returns the method, whatever it returns, which is not accessible yet. */
    public Method method() throws ClassNotFoundException, NoSuchMethodException {
        return type().getDeclaredMethod(member, parameters());
    }

    /** Returns the constructor, which is not accessible yet. */
    public Constructor<?> constructor() throws ClassNotFoundException, NoSuchMethodException {
        return type().getDeclaredConstructor(parameters());
    }

    /** Returns the method as {@code lookup} finds it. */
    public MethodHandle handle(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        String result = descriptor.substring(descriptor.indexOf(')') + 1);
        MethodType methodType = MethodType.methodType(types(result).getFirst(), parameters());
        return isStatic
                ? lookup.findStatic(type(), member, methodType)
                : lookup.findVirtual(type(), member, methodType);
    }

    /** Returns the field, which is not static, as {@code lookup} finds it. */
    public VarHandle varHandle(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        return lookup.findVarHandle(type(), member, types(descriptor).getFirst());
    }

    /**
     * Returns the offset of the field in an object.
     *
     * @throws InternalError if there is no such field
     */
    public long offset() {
        try {
            return Unsafe.getUnsafe().objectFieldOffset(type(), member);
        } catch (ClassNotFoundException | InternalError missing) {
            throw new InternalError("this JDK has no " + this, missing); // the JDK's names nothing
        }
    }

    /** Returns an error that names this member and contains the text of {@code cause}. */
    public LinkageError changed(Throwable cause) {
        return new LinkageError(this + " is not what it was: " + cause, cause);
    }

    private Class<?>[] parameters() throws ClassNotFoundException {
        return types(descriptor.substring(1, descriptor.indexOf(')'))).toArray(new Class<?>[0]);
    }

    /**
     * Returns the classes of some descriptors, one behind the other. Does what {@code
     * MethodType.fromMethodDescriptorString} does, for which the JDK would load more classes.
     */
    private static List<Class<?>> types(String descriptors) throws ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        int from = 0;
        while (from < descriptors.length()) {
            int at = from;
            while (descriptors.charAt(at) == '[') {
                at++;
            }
            int end = descriptors.charAt(at) == 'L' ? descriptors.indexOf(';', at) : at;
            types.add(typeOf(descriptors.substring(from, end + 1)));
            from = end + 1;
        }
        return types;
    }

    private static Class<?> typeOf(String descriptor) throws ClassNotFoundException {
        return switch (descriptor.charAt(0)) {
            case 'B' -> byte.class;
            case 'I' -> int.class;
            case 'J' -> long.class;
            case 'V' -> void.class;
            case 'Z' -> boolean.class;
            case '[' -> named(descriptor.replace('/', '.'));
            default -> named(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
        };
    }

    /** Returns its state in this JVM, which is checked now. */
    public State state() {
        if (!isOf(Runtime.version().feature()) || !hasModule()) {
            return State.ABSENT;
        }
        if (this == EVENT_WRITER_FACTORY || (isOfHotSpot() && !VmStructs.isReadable())) {
            return State.UNKNOWN; // Flight Recorder makes that class when it starts
        }
        return isPresent() ? State.PRESENT : State.MISSING;
    }

    /** Returns whether this JVM has it as it is described, whatever releases the entry lists. */
    public boolean isPresent() {
        if (isOfHotSpot()) {
            return VmStructs.has(this);
        }
        try {
            Class<?> declaring = type();
            if (member.isEmpty()) {
                return true;
            }
            if (member.equals(CONSTRUCTOR)) {
                Object unused = declaring.getDeclaredConstructor(parameters());
                return true;
            }
            return descriptor.startsWith("(") ? hasMethod(declaring) : hasField(declaring);
        } catch (ReflectiveOperationException | LinkageError missing) {
            return false;
        }
    }

    private boolean isOfHotSpot() {
        return !member.isEmpty() && descriptor.isEmpty();
    }

    /** Compares what the method returns as well, by which it may be one of two. */
    private boolean hasMethod(Class<?> declaring) throws ReflectiveOperationException {
        Method method = declaring.getDeclaredMethod(member, parameters());
        return descriptor.endsWith(')' + method.getReturnType().descriptorString())
                && Modifier.isStatic(method.getModifiers()) == isStatic;
    }

    private boolean hasField(Class<?> declaring) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(member);
        return descriptor.equals(field.getType().descriptorString())
                && Modifier.isStatic(field.getModifiers()) == isStatic;
    }

    private boolean hasModule() {
        return module().map(name -> ModuleLayer.boot().findModule(name).isPresent()).orElse(true);
    }

    /** Returns the module, if a runtime can be without it. */
    private Optional<String> module() {
        if (type.startsWith("jdk.jfr.")) {
            return Optional.of("jdk.jfr");
        }
        if (type.startsWith("sun.instrument.")) {
            return Optional.of("java.instrument");
        }
        if (type.startsWith("sun.management.")) {
            return Optional.of("java.management");
        }
        return type.startsWith("sun.tools.attach.") ? Optional.of("jdk.attach") : Optional.empty();
    }

    /** Returns its name with its descriptor, if it has one. */
    public String description() {
        boolean isField = !descriptor.isEmpty() && !descriptor.startsWith("(");
        return isField ? this + " " + descriptor : toString();
    }

    /** Returns its name and, of a method, its descriptor. */
    @Override
    public String toString() {
        if (member.isEmpty()) {
            return type;
        }
        if (isOfHotSpot()) {
            return type + "::" + member;
        }
        return type + '.' + member + (descriptor.startsWith("(") ? descriptor : "");
    }
}
