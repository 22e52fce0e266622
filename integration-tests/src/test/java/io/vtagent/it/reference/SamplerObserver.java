package io.vtagent.it.reference;

/** Another sampler, which knows nothing of the first. */
final class SamplerObserver implements Observer {
    private final CarrierSampler sampler;

    SamplerObserver() throws InterruptedException {
        sampler = new CarrierSampler();
    }

    @Override
    public long heldNanos() throws InterruptedException {
        return sampler.soFar().heldNanos();
    }

    @Override
    public void close() {
        sampler.close();
    }
}
