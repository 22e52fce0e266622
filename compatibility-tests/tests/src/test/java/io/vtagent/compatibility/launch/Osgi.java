package io.vtagent.compatibility.launch;

import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** {@code JAR CACHE}: the known pins in a bundle. */
public final class Osgi {
    private Osgi() {}

    public static void main(String[] arguments)
            throws BundleException, ReflectiveOperationException {
        Framework framework =
                ServiceLoader.load(FrameworkFactory.class)
                        .iterator()
                        .next()
                        .newFramework(Map.of("org.osgi.framework.storage", arguments[1]));
        framework.start();
        Bundle bundle = framework.getBundleContext().installBundle("file:" + arguments[0]);
        bundle.start();
        ((Runnable)
                        bundle.loadClass("io.vtagent.compatibility.pins.Main")
                                .getConstructor()
                                .newInstance())
                .run();
    }
}
