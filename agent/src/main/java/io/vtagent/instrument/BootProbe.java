package io.vtagent.instrument;

import io.vtagent.vm.JavaBase;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Puts the probe where the instrumented code of every class loader finds it. */
public final class BootProbe {
    /** The build moves the probe to {@code java.lang}, and changes these strings with it; the order is that of definition. */
    private static final String[] CLASSES = {"io.vtagent.probe.VtAgentSensor", "io.vtagent.probe.VtAgentProbe"};

    private BootProbe() {}

    private static boolean isDefined() {
        try {
            Class.forName(CLASSES[0], false, null);
            return true;
        } catch (ClassNotFoundException not) {
            return false;
        }
    }

    /**
     * Defines the probe. No class that mentions it may have been linked before.
     *
     * @return false if an agent has defined it in this JVM before, or does so now
     */
    public static boolean define() throws IOException, IllegalAccessException {
        if (isDefined()) {
            return false;
        }
        // not as resources of a class loader: that brings up the JDK's URL handlers
        URL location = BootProbe.class.getProtectionDomain().getCodeSource().getLocation();
        try (ZipFile jar = new ZipFile(new File(location.toURI()))) {
            for (String name : CLASSES) {
                ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
                if (entry == null) {
                    throw new IOException("the agent's jar has no class " + name);
                }
                try (InputStream in = jar.getInputStream(entry)) {
                    JavaBase.define(in.readAllBytes());
                } catch (LinkageError duplicate) {
                    return false;
                }
            }
            return true;
        } catch (URISyntaxException noFile) {
            throw new IOException(noFile);
        }
    }
}
