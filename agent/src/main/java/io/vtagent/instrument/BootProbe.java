package io.vtagent.instrument;

import io.vtagent.vm.AgentProperties;
import io.vtagent.vm.JavaBase;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Puts the probe where the instrumented code of every class loader finds it. */
public final class BootProbe {
    /** The build moves the probe to {@code java.lang}, and changes this string with it. */
    private static final String PROBE = "io.vtagent.probe.VtAgentProbe";

    private BootProbe() {}

    /**
     * Defines the probe, unless an agent that was detached has left it behind. No class that mentions it may have been linked before.
     *
     * @return false if what was left behind is another version's, which cannot be replaced
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
        // not as resources of a class loader: that brings up the JDK's URL handlers
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
