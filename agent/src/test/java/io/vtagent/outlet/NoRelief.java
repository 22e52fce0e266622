package io.vtagent.outlet;

import io.vtagent.relief.ReliefFigures;

/** Of an agent that adds no carriers. */
final class NoRelief implements ReliefFigures {
    @Override
    public boolean isOn() {
        return false;
    }

    @Override
    public long added() {
        return 0;
    }

    @Override
    public long pins() {
        return 0;
    }

    @Override
    public long nanos() {
        return 0;
    }
}
