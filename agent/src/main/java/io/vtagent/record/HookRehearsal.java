package io.vtagent.record;

import io.vtagent.probe.VtAgentProbe;

/** Calls every hook once, as the JDK and the application would, so that what they need is loaded and linked. */
final class HookRehearsal {
    private HookRehearsal() {}

    /** @param hooks to be thrown away afterwards, since they record what is told here */
    static void of(VtAgentProbe hooks) {
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
