package io.vtagent.it.workload;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.List;

/**
 * {@code MILLIS}: virtual threads poll a socket with a native method of the JDK that is no API,
 * each for that long and in another way of calling a method that the code does not name. Needs
 * {@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED}. It prints {@code done}.
 */
public final class ReflectiveCalls {
    private static final short POLLIN = 1;

    private ReflectiveCalls() {}

    /** A way to call it. */
    interface Poll {
        void run() throws Throwable;
    }

    /** Polls when it is made. */
    public static final class Made {
        public Made(Poll poll) throws Throwable {
            poll.run();
        }
    }

    public static void main(String[] arguments) throws Exception {
        long millis = Long.parseLong(arguments[0]);
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET).bind(null);
        Field field = channel.getClass().getDeclaredField("fd");
        field.setAccessible(true);
        FileDescriptor descriptor = (FileDescriptor) field.get(channel);
        Method method =
                Class.forName("sun.nio.ch.Net")
                        .getDeclaredMethod("poll", FileDescriptor.class, int.class, long.class);
        method.setAccessible(true);
        MethodHandle handle = MethodHandles.lookup().unreflect(method);
        Constructor<Made> constructor = Made.class.getConstructor(Poll.class);
        Poll byMethod = () -> method.invoke(null, descriptor, (int) POLLIN, millis);
        Poll byHandle = () -> handle.invokeWithArguments(descriptor, (int) POLLIN, millis);
        Poll byExactHandle =
                () -> {
                    int unused = (int) handle.invokeExact(descriptor, (int) POLLIN, millis);
                };
        Poll byProxy =
                (Poll)
                        Proxy.newProxyInstance(
                                ReflectiveCalls.class.getClassLoader(),
                                new Class<?>[] {Poll.class},
                                (proxy, called, none) ->
                                        method.invoke(null, descriptor, (int) POLLIN, millis));
        Poll byConstructor = () -> constructor.newInstance(byMethod);
        WorkloadConsole.warmUp();
        for (Poll poll : List.of(byMethod, byHandle, byExactHandle, byProxy, byConstructor)) {
            Tasks.run(1, number -> run(poll));
        }
        channel.close();
        WorkloadConsole.done();
    }

    private static void run(Poll poll) {
        try {
            poll.run();
        } catch (Throwable failed) {
            throw new AssertionError(failed);
        }
    }
}
