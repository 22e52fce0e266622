package io.vtagent.exporter;

import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.diagnosis.PacedThreadGroups.Reading;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.sampler.CarrierMonitoring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads where virtual threads are, only on request, and once for all requests. Thread-safe. */
interface ThreadReadings {
    /** Returns the newest reading; null if there is none now. */
    @Nullable Reading newest();

    /** Returns why there never is a reading; null if there can be one. */
    @Nullable String failure();

    /**
     * @param watch null where there are no carriers
     */
    static ThreadReadings of(@Nullable CarrierMonitoring watch) {
        if (watch == null) {
            return new ThreadReadings() {
                @Override
                public @Nullable Reading newest() {
                    return null;
                }

                @Override
                public String failure() {
                    return "virtual threads have no carriers in this JVM";
                }
            };
        }
        // the JDK's management classes are loaded on the first request
        Lazy<PacedThreadGroups> paced = new Lazy<>(() -> new PacedThreadGroups(watch.threads()));
        return new ThreadReadings() {
            @Override
            public @Nullable Reading newest() {
                return paced.get().newest();
            }

            @Override
            public @Nullable String failure() {
                return paced.get().failure();
            }
        };
    }

    /** Returns readings of a JVM without virtual threads. */
    static ThreadReadings ofNobody() {
        ThreadGroups nobody = new ThreadGroups(0, true, 0, 0, 0, 0, 0, true, 0, List.of(), null);
        return new ThreadReadings() {
            @Override
            public Reading newest() {
                return new Reading(nobody, 0, 0);
            }

            @Override
            public @Nullable String failure() {
                return null;
            }
        };
    }
}
