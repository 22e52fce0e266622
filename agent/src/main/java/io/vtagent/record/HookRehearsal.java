package io.vtagent.record;

import io.vtagent.probe.VtAgentSensor;

/** Calls every hook once, as the JDK and the application would, so that what they need is loaded and linked. */
final class HookRehearsal {
    private HookRehearsal() {}

    /** @param hooks to be thrown away afterwards, since they record what is told here */
    static void of(VtAgentSensor hooks) {
        hooks.yieldFailed("MONITOR");
        hooks.parkEnded(hooks.parkBegan());
        hooks.waitEnded(hooks.waitBegan(), null);
        hooks.enterBegan(hooks);
        hooks.enterEnded();
        hooks.compensationTried(false);
        hooks.ioBegan();
        hooks.ioEnded();
        hooks.carrierMade();
        hooks.unmounted();
        hooks.submitFailed();
    }
}
