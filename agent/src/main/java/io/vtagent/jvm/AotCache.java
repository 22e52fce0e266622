package io.vtagent.jvm;

import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/**
 * The AOT cache (JEP 483) that the options of this JVM name. A Java agent adds the module {@code
 * java.instrument}, and the JVM refuses a cache whose training run had other modules than the
 * current one.
 */
public final class AotCache {
    private static final String OPTION = "-XX:AOTCache=";
    private static final String WITHOUT = "-Xshare:off";

    private AotCache() {}

    /** Returns why this JVM starts without its AOT cache; null if it uses it or has none. */
    public static @Nullable String refusal() {
        try {
            return refusal(System.getProperty("java.vm.info", ""), VM.getRuntimeArguments());
        } catch (LinkageError otherJvm) {
            return null;
        }
    }

    /**
     * @param info the value of {@code java.vm.info}, in which HotSpot reports whether it shares
     *     class data
     * @param arguments the options of the JVM; null if it has none
     */
    static @Nullable String refusal(String info, String @Nullable [] arguments) {
        if (arguments == null) {
            return null;
        }
        String cache = null;
        for (String argument : arguments) {
            if (argument.equals(WITHOUT)) {
                return null;
            }
            if (argument.startsWith(OPTION)) {
                cache = argument.substring(OPTION.length());
            }
        }
        return cache == null || info.contains("sharing")
                ? null
                : "the JVM does not use the AOT cache "
                        + cache
                        + ", so the application starts more slowly: a cache for runs with an agent"
                        + " has to be trained with --add-modules=java.instrument";
    }
}
