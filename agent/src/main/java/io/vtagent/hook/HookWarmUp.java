package io.vtagent.hook;

import io.vtagent.probe.VtAgentProbe;

/**
 * Calls every hook once, as the JDK and the application would, so that the classes that hooks need
 * are loaded and linked.
 */
public final class HookWarmUp {
    private HookWarmUp() {}

    /**
     * @param hooks hooks to be discarded afterwards, because they record these calls
     */
    public static void of(VtAgentProbe hooks) {
        hooks.onYieldFailed("MONITOR");
        hooks.onParkEnded(hooks.onParkBegan());
        hooks.onWaitEnded(hooks.onWaitBegan(), null);
        Object begun = hooks.onEnterBegan(hooks);
        if (begun != null) {
            hooks.onEnterEnded(begun);
        }
        hooks.onCompensationTried(false);
        hooks.onIoBegan();
        hooks.onIoEnded();
        hooks.onCarrierMade();
        hooks.onUnmounted();
        hooks.onSubmitFailed();
    }
}
