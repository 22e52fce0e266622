package io.vtagent.options;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The address that the endpoint binds to. The default one is created only when it is used, because
 * {@link InetAddress} reads the JDK's security properties, and {@code main} would wait for that.
 *
 * @param other an address other than the default
 */
public record BindAddress(@Nullable InetAddress other) {
    static final BindAddress DEFAULT = new BindAddress(null);

    static BindAddress of(InetAddress address) {
        return address.equals(DEFAULT.address()) ? DEFAULT : new BindAddress(address);
    }

    /** Returns the address. */
    public InetAddress address() {
        if (other != null) {
            return other;
        }
        try {
            return InetAddress.getByName(Option.BIND.defaultValue());
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
