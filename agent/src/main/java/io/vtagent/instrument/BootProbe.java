package io.vtagent.instrument;

import io.vtagent.vm.AgentProperties;
import io.vtagent.vm.JavaBase;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Puts the probe where the instrumented code of every class loader finds it. */
public final class BootProbe {
    /** The build moves the probe to {@code java.lang}, and changes these strings with it; the order is that of definition. */
    private static final String[] CLASSES = {"io.vtagent.probe.VtAgentSensor", "io.vtagent.probe.VtAgentProbe"};

    private BootProbe() {}

    /**
     * Defines the probe, unless an agent that was detached has left it behind. No class that mentions it may have been linked before.
     *
     * @return false if what was left behind is another version's, which cannot be replaced
     * @throws IOException if the agent's jar cannot be read
     * @throws IllegalAccessException if {@code JavaBase.open} was not called
     */
    public static boolean define() throws IOException, IllegalAccessException {
        List<byte[]> classFiles = classFiles();
        CRC32 sum = new CRC32();
        classFiles.forEach(sum::update);
        String own = Long.toHexString(sum.getValue());
        String present = AgentProperties.get(AgentProperties.PROBE);
        if (present != null) {
            return present.equals(own);
        }
        for (byte[] classFile : classFiles) {
            JavaBase.define(classFile);
        }
        AgentProperties.put(AgentProperties.PROBE, own);
        return true;
    }

    private static List<byte[]> classFiles() throws IOException {
        // not as resources of a class loader: that brings up the JDK's URL handlers
        URL location = BootProbe.class.getProtectionDomain().getCodeSource().getLocation();
        try (ZipFile jar = new ZipFile(new File(location.toURI()))) {
            List<byte[]> classFiles = new ArrayList<>();
            for (String name : CLASSES) {
                ZipEntry entry = jar.getEntry(name.replace('.', '/') + ".class");
                if (entry == null) {
                    throw new IOException("the agent's jar has no class " + name);
                }
                try (InputStream in = jar.getInputStream(entry)) {
                    classFiles.add(in.readAllBytes());
                }
            }
            return classFiles;
        } catch (URISyntaxException noFile) {
            throw new IOException(noFile);
        }
    }
}
