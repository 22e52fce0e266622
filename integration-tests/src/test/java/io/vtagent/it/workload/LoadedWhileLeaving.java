package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A class is loaded while the agent leaves, for longer than it takes the agent to list the loaded
 * classes: the transformer of {@link SecondAgent}'s keeps it until the agent has changed another
 * class back. The facts {@code meanwhile} and {@code afterwards} are where in the code of its
 * method the same statement is, loaded at that moment and loaded when no agent was there any more.
 */
public final class LoadedWhileLeaving {
    private static final CountDownLatch CHANGED_BACK = new CountDownLatch(1);

    private LoadedWhileLeaving() {}

    /** Loaded by a loader of its own. */
    public static final class Late implements IntSupplier {
        private final Object monitor = new Object();

        @Override
        public int getAsInt() {
            synchronized (monitor) {
                return StackWalker.getInstance()
                        .walk(frames -> frames.findFirst().orElseThrow().getByteCodeIndex());
            }
        }
    }

    /** Loaded and wrapped before. */
    private static final class Early {
        static void enter() {
            synchronized (Early.class) {
                Thread.onSpinWait(); // nothing that lasts
            }
        }
    }

    private static final class Loader extends ClassLoader {
        IntSupplier late() throws ReflectiveOperationException {
            return loadClass(Late.class.getName())
                    .asSubclass(IntSupplier.class)
                    .getDeclaredConstructor()
                    .newInstance();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Late.class.getName())
                    ? findClass(name)
                    : super.loadClass(name, resolve);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] classFile = in.readAllBytes();
                return defineClass(name, classFile, 0, classFile.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Early.enter();
        Loader loader = new Loader(); // before there is a transformer that mentions its class
        Instrumentation instrumentation = SecondAgent.instrumentation();
        ClassFileTransformer slow = slowToLoad();
        instrumentation.addTransformer(slow, true);
        IntSupplier[] late = new IntSupplier[1];
        Thread loading =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        late[0] = loader.late();
                                    } catch (ReflectiveOperationException failed) {
                                        throw new LinkageError(failed.getMessage(), failed);
                                    }
                                });
        loading.join();
        WorkloadConsole.printAndWait("loaded");
        instrumentation.removeTransformer(slow);
        WorkloadConsole.fact("meanwhile", late[0].getAsInt());
        WorkloadConsole.fact("afterwards", new Loader().late().getAsInt());
        WorkloadConsole.done();
    }

    private static ClassFileTransformer slowToLoad() {
        return new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    @Nullable String className,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] classFile) {
                if (redefined == Early.class) {
                    CHANGED_BACK.countDown();
                } else if (loader instanceof Loader && redefined == null) {
                    System.out.println("loading");
                    awaitChangedBack();
                }
                return null;
            }
        };
    }

    private static void awaitChangedBack() {
        try {
            CHANGED_BACK.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
