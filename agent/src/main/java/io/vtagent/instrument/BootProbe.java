package io.vtagent.instrument;

import io.vtagent.jvm.AgentProperties;
import io.vtagent.jvm.JavaBase;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Defines the probe where the instrumented code of every class loader finds it. */
public final class BootProbe {
    /** The build moves the probe to {@code java.lang}, and changes this string with it. */
    private static final String PROBE = "io.vtagent.probe.VtAgentProbe";

    private BootProbe() {}

    /**
     * Defines the probe, unless a detached agent has left it behind. No class that refers to it may
     * have been linked before.
     *
     * @return false if a probe of another version was left behind, which cannot be replaced
     * @throws IOException if the agent's jar cannot be read
     * @throws IllegalAccessException if {@code JavaBase.open} was not called
     */
    public static boolean define() throws IOException, IllegalAccessException {
        byte[] classFile = classFile();
        CRC32 sum = new CRC32();
        sum.update(classFile);
        String own = Long.toHexString(sum.getValue());
        String present = AgentProperties.get(AgentProperties.PROBE);
        if (present != null) {
            return present.equals(own);
        }
        JavaBase.define(classFile);
        AgentProperties.put(AgentProperties.PROBE, own);
        return true;
    }

    private static byte[] classFile() throws IOException {
        // not as a resource of a class loader, which would initialize the JDK's URL handlers
        URL location = BootProbe.class.getProtectionDomain().getCodeSource().getLocation();
        try (ZipFile jar = new ZipFile(new File(location.toURI()))) {
            ZipEntry entry = jar.getEntry(PROBE.replace('.', '/') + ".class");
            if (entry == null) {
                throw new IOException("the agent's jar has no class " + PROBE);
            }
            try (InputStream in = jar.getInputStream(entry)) {
                return in.readAllBytes();
            }
        } catch (URISyntaxException noFile) {
            throw new IOException(noFile);
        }
    }
}
