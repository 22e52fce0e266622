package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotStackTest {
    private static final StackTraceElement RUN =
            frame("java.base", "java.lang.VirtualThread", "run", 309);
    private static final StackTraceElement CALLER = frame(null, "shop.Cart", "total", 42);
    private static final StackTraceElement TABLE =
            frame("java.base", "java.util.Hashtable", "get", 382);
    private static final StackTraceElement USLEEP = frame(null, "shop.LibC", "usleep", -2);
    private static final StackTraceElement INITIALIZER = frame(null, "shop.Prices", "<clinit>", 7);
    private static final StackTraceElement INVOKE =
            frame(
                    "java.base",
                    "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor",
                    "invoke0",
                    -2);

    @Test
    void anEntryInTheJdkNamesTheMethodOfItsApiAndItsCaller() {
        PinnedStack stack =
                SnapshotStack.entering(
                        List.of(TABLE, CALLER, RUN),
                        new FramesOfInterest(64),
                        "java.util.Hashtable");

        assertThat(stack.holder()).isEqualTo("java.util.Hashtable.get:382");
        assertThat(stack.holderIndex()).isZero();
        assertThat(stack.operation()).isEqualTo("java.util.Hashtable.get");
        assertThat(stack.caller()).isEqualTo("shop.Cart.total:42");
        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.MONITOR);
        assertThat(stack.monitorClass()).isEqualTo("java.util.Hashtable");
    }

    @Test
    void anEntryOfTheApplicationIsItsOwnHolder() {
        PinnedStack stack =
                SnapshotStack.entering(List.of(CALLER, RUN), new FramesOfInterest(64), null);

        assertThat(stack.holder()).isEqualTo("shop.Cart.total:42");
        assertThat(stack.operation()).isEqualTo("synchronized");
        assertThat(stack.caller()).isNull();
    }

    @Test
    void theCallerIsTheNearestLineOfTheUsersOwnPackages() {
        FramesOfInterest own = new FramesOfInterest(64, List.of("store", "shop"));
        StackTraceElement library = frame(null, "shopware.Cache", "get", 5);
        StackTraceElement outer = frame(null, "shop.Main", "main", 9);
        List<StackTraceElement> frames = List.of(TABLE, library, CALLER, outer, RUN);

        assertThat(SnapshotStack.entering(frames, own, null).caller())
                .isEqualTo("shop.Cart.total:42");
        assertThat(
                        SnapshotStack.entering(
                                        frames, new FramesOfInterest(1, List.of("shop.Main")), null)
                                .caller())
                .isEqualTo("shop.Main.main:9");
        assertThat(SnapshotStack.entering(List.of(CALLER, outer, RUN), own, null).caller())
                .as("the holder itself")
                .isNull();
        assertThat(SnapshotStack.inNativeCode(List.of(USLEEP, library, CALLER), own).caller())
                .isNull();
        assertThat(SnapshotStack.initializing(List.of(library, CALLER), own, null).caller())
                .isEqualTo("shop.Cart.total:42");
        assertThat(
                        SnapshotStack.heldByNativeFrame(
                                        List.of(CALLER, INVOKE, library, outer), own)
                                .caller())
                .as("outward from the holder")
                .isEqualTo("shop.Main.main:9");
    }

    @Test
    void withoutSuchALineTheCallerIsTheNearestThatIsNotTheJdks() {
        FramesOfInterest own = new FramesOfInterest(64, List.of("com.acme"));

        assertThat(
                        SnapshotStack.entering(List.of(TABLE, CALLER, INITIALIZER, RUN), own, null)
                                .caller())
                .isEqualTo("shop.Cart.total:42");
        assertThat(SnapshotStack.entering(List.of(CALLER, RUN), own, null).caller()).isNull();
        assertThat(SnapshotStack.entering(List.of(TABLE, RUN), own, null).caller()).isNull();
    }

    @Test
    void nativeCodeIsHeldByItsNativeMethod() {
        PinnedStack stack =
                SnapshotStack.inNativeCode(List.of(USLEEP, CALLER, RUN), new FramesOfInterest(64));

        assertThat(stack.holder()).isEqualTo("shop.LibC.usleep:?");
        assertThat(stack.operation()).isEqualTo("native code");
        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.NATIVE);
    }

    @Test
    void aWaitBelowWhichNativeCodeCalledBackIsHeldByThatCode() {
        StackTraceElement wait0 = frame("java.base", "java.lang.Object", "wait0", -2);
        StackTraceElement wait = frame("java.base", "java.lang.Object", "wait", 389);
        List<StackTraceElement> frames =
                SnapshotStack.belowWait(List.of(wait0, wait, CALLER, INVOKE, CALLER, RUN));

        assertThat(frames).first().isEqualTo(wait);
        assertThat(SnapshotStack.nativeCauseIn(frames)).isEqualTo(PinnedStack.Cause.NATIVE);
        PinnedStack stack = SnapshotStack.heldByNativeFrame(frames, new FramesOfInterest(64));
        assertThat(stack.holder()).isEqualTo(SnapshotStack.location(INVOKE));
        assertThat(stack.holderIndex()).isEqualTo(2);
        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.NATIVE);
        assertThat(stack.operation()).isEqualTo("java.lang.Object.wait");
        assertThat(stack.caller()).isEqualTo("shop.Cart.total:42");
        assertThat(SnapshotStack.heldByNativeFrame(frames, new FramesOfInterest(1)).holderIndex())
                .isEqualTo(-1);
        assertThat(
                        SnapshotStack.nativeCauseIn(
                                SnapshotStack.belowWait(List.of(wait0, wait, CALLER, RUN))))
                .isEqualTo(PinnedStack.Cause.NONE);
    }

    @Test
    void noMoreFramesAreKeptThanAskedForButTheCallerIsFound() {
        PinnedStack stack =
                SnapshotStack.entering(List.of(TABLE, CALLER, RUN), new FramesOfInterest(1), null);

        assertThat(stack.frames()).hasSize(1);
        assertThat(stack.caller()).isEqualTo("shop.Cart.total:42");
    }

    @Test
    void theInnermostOfANativeFrameAndAnInitializerIsTheCause() {
        assertThat(SnapshotStack.nativeCauseIn(List.of(CALLER, INITIALIZER, INVOKE, RUN)))
                .isEqualTo(PinnedStack.Cause.CLASS_INIT);
        assertThat(SnapshotStack.nativeCauseIn(List.of(CALLER, INVOKE, INITIALIZER, RUN)))
                .isEqualTo(PinnedStack.Cause.NATIVE);
        assertThat(SnapshotStack.nativeCauseIn(List.of(CALLER, RUN)))
                .isEqualTo(PinnedStack.Cause.NONE);
    }

    @Test
    void theHolderOfAThreadThatEntersAMonitorWhereMonitorsDoNotPinIsNamed() {
        StackTraceElement loader = frame(null, "shop.PluginLoader", "loadClass", 9);
        StackTraceElement begin =
                frame("java.base", "jdk.internal.vm.Continuation", "enterSpecial", -2);

        assertThat(nativeFrameOf(CALLER, INVOKE, CALLER, begin))
                .isEqualTo(SnapshotStack.location(INVOKE));
        assertThat(nativeFrameOf(CALLER, INITIALIZER, INVOKE, begin))
                .isEqualTo("shop.Prices.<clinit>:7");
        assertThat(nativeFrameOf(CALLER, loader, INITIALIZER, begin))
                .isEqualTo("shop.PluginLoader.loadClass:9");
        assertThat(nativeFrameOf(CALLER, RUN, begin)).isNull();
    }

    private static @Nullable String nativeFrameOf(StackTraceElement... frames) {
        return SnapshotStack.entering(List.of(frames), new FramesOfInterest(1), null).nativeFrame();
    }

    @Test
    void aThreadThatASensorUsesDoesTheAgentsWork() {
        StackTraceElement loading = frame("java.base", "java.lang.ClassLoader", "loadClass", 580);
        StackTraceElement probe = frame("java.base", "java.lang.VtAgentProbe", "enterBegan", 90);

        assertThat(SnapshotStack.isAgents(List.of(loading, probe, CALLER, RUN))).isTrue();
        assertThat(SnapshotStack.isAgents(List.of(loading, CALLER, RUN))).isFalse();
    }

    /** As {@code sun.nio.ch.Net.poll}, an application calls it only by reflection. */
    @Test
    void whatReflectionCallsIsTheOperation() {
        StackTraceElement poll = frame("java.base", "sun.nio.ch.Net", "poll", -2);
        StackTraceElement method = frame("java.base", "java.lang.reflect.Method", "invoke", 580);

        PinnedStack stack =
                SnapshotStack.inNativeCode(
                        List.of(poll, INVOKE, method, CALLER, RUN), new FramesOfInterest(64));

        assertThat(stack.operation()).isEqualTo("sun.nio.ch.Net.poll");
        assertThat(stack.holder()).isEqualTo("sun.nio.ch.Net.poll:?");
        assertThat(stack.caller()).isEqualTo("shop.Cart.total:42");
    }

    @ParameterizedTest
    @CsvSource({
        "java.base, java.lang.reflect.Method, invoke",
        "java.base, java.lang.reflect.Constructor, newInstance",
        "java.base, java.lang.Class, newInstance",
        "java.base, java.lang.invoke.MethodHandle, invokeWithArguments",
        "java.base, java.lang.invoke.VarHandleInts$FieldInstanceReadWrite, compareAndSet",
        "java.base, jdk.internal.reflect.DirectConstructorHandleAccessor, newInstance",
        "jdk.proxy2, jdk.proxy2.$Proxy11, get",
        ", shop.$Proxy7, get",
        ", $Proxy0, get"
    })
    void whatPassesACallOnIsNeitherOperationNorCallerNorSite(
            @Nullable String module, String type, String method) {
        StackTraceElement passesOn = frame(module, type, method, 1);
        FramesOfInterest wanted = new FramesOfInterest(64);

        PinnedStack entering =
                SnapshotStack.entering(List.of(TABLE, passesOn, CALLER, RUN), wanted, null);
        assertThat(entering.operation()).isEqualTo("java.util.Hashtable.get");
        assertThat(entering.caller()).isEqualTo("shop.Cart.total:42");

        PinnedStack inJvm = SnapshotStack.inJvm(List.of(passesOn, CALLER, RUN), wanted);
        assertThat(inJvm.holder()).isEqualTo("shop.Cart.total:42");
        assertThat(inJvm.operation()).isEqualTo("the JVM");

        PinnedStack called = SnapshotStack.heldByCall(List.of(passesOn, CALLER, RUN), wanted);
        assertThat(called.holder()).isEqualTo("shop.Cart.total:42");
        assertThat(called.operation()).isEqualTo("synchronized");
    }

    @Test
    void aClassThatIsOnlyNamedLikeAProxyIsTheApplications() {
        StackTraceElement cache = frame(null, "shop.$ProxyCache", "get", 3);

        assertThat(
                        SnapshotStack.entering(
                                        List.of(TABLE, cache, CALLER, RUN),
                                        new FramesOfInterest(64),
                                        null)
                                .caller())
                .isEqualTo("shop.$ProxyCache.get:3");
    }

    @Test
    void aNativeMethodIsNoApi() {
        StackTraceElement read0 = frame("java.base", "java.io.RandomAccessFile", "read0", -2);
        StackTraceElement read = frame("java.base", "java.io.RandomAccessFile", "read", 362);

        assertThat(
                        SnapshotStack.inNativeCode(
                                        List.of(read0, read, CALLER, RUN), new FramesOfInterest(64))
                                .operation())
                .isEqualTo("java.io.RandomAccessFile.read");
    }

    @Test
    void whatBlocksInAClassLoaderIsTheOperation() {
        StackTraceElement read =
                frame("java.base", "java.net.Socket$SocketInputStream", "read", 958);
        StackTraceElement find = frame("java.base", "java.net.URLClassLoader", "findClass", 400);
        StackTraceElement load = frame("java.base", "java.lang.ClassLoader", "loadClass", 490);

        assertThat(
                        SnapshotStack.entering(
                                        List.of(read, find, load, CALLER, RUN),
                                        new FramesOfInterest(64),
                                        null)
                                .operation())
                .isEqualTo("java.net.Socket.read");
    }

    @Test
    void anOperationThatIsHeldByAnotherFrameTooIsMarked() {
        StackTraceElement wait = frame("java.base", "sun.nio.ch.EPoll", "wait", -2);
        StackTraceElement select = frame("java.base", "sun.nio.ch.SelectorImpl", "select", 130);
        FramesOfInterest wanted = new FramesOfInterest(64);

        assertThat(
                        SnapshotStack.heldByCall(List.of(wait, select, CALLER, RUN), wanted)
                                .nativeFrame())
                .isNull();
        assertThat(
                        SnapshotStack.heldByCall(
                                        List.of(wait, select, CALLER, INITIALIZER, RUN), wanted)
                                .nativeFrame())
                .isEqualTo("shop.Prices.<clinit>:7");
    }

    @Test
    void whatIsAboveTheApplicationInTheJdkIsTheOperation() {
        StackTraceElement outer = frame("java.base", "java.util.HashMap", "computeIfAbsent", 1220);
        FramesOfInterest wanted = new FramesOfInterest(64);

        assertThat(
                        SnapshotStack.heldByCall(List.of(TABLE, CALLER, outer, CALLER, RUN), wanted)
                                .operation())
                .isEqualTo("java.util.Hashtable.get");
    }

    @Test
    void aCallOfTheJdksOwnHasNoHolder() {
        PinnedStack stack = SnapshotStack.heldByCall(List.of(TABLE, RUN), new FramesOfInterest(64));

        assertThat(stack.holder()).isEqualTo("?.?:?");
        assertThat(stack.holderIndex()).isEqualTo(-1);
        assertThat(stack.nativeFrame()).isNull();
    }

    @Test
    void whatComputesIsTheInnermostFrameOfTheApplicationOrOfAll() {
        FramesOfInterest wanted = new FramesOfInterest(64);

        assertThat(SnapshotStack.computing(List.of(TABLE, INVOKE, CALLER, RUN), wanted).holder())
                .isEqualTo("shop.Cart.total:42");
        assertThat(SnapshotStack.computing(List.of(TABLE, INVOKE, RUN), wanted).holder())
                .isEqualTo("java.util.Hashtable.get:382");
    }

    @Test
    void aClassLoaderIsACauseOnlyForAThreadThatIsKnownToBlock() {
        StackTraceElement loader = frame(null, "shop.PluginLoader", "loadClass", 9);

        assertThat(SnapshotStack.blockedCauseIn(List.of(CALLER, loader, INVOKE)))
                .isEqualTo(PinnedStack.Cause.CLASS_LOADER);
        assertThat(SnapshotStack.nativeCauseIn(List.of(CALLER, loader, INVOKE)))
                .isEqualTo(PinnedStack.Cause.NATIVE);
    }

    @Test
    void belowNativeFramesAloneThereIsNothing() {
        assertThat(SnapshotStack.belowWait(List.of(USLEEP, INVOKE))).isEmpty();
    }

    @Test
    void aLineThatTheClassFileDoesNotHaveIsUnknown() {
        assertThat(SnapshotStack.location(frame(null, "shop.Cart", "total", 1)))
                .isEqualTo("shop.Cart.total:1");
        assertThat(SnapshotStack.location(frame(null, "shop.Cart", "total", 0)))
                .isEqualTo("shop.Cart.total:?");
    }

    private static StackTraceElement frame(
            @Nullable String module, String type, String method, int line) {
        return new StackTraceElement(null, module, null, type, method, "Source.java", line);
    }

    @Test
    void theProbeAndTheAgentsClassLoaderShowThatTheAgentWorks() {
        assertThat(SnapshotStack.isAgents("java.lang.VtAgentProbe")).isTrue();
        assertThat(SnapshotStack.isAgents("io.vtagent.AgentClassLoader")).isTrue();
        assertThat(SnapshotStack.isAgents("io.vtagent.demo.Shop")).isFalse();
    }
}
