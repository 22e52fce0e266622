/**
 * The ways out for what was measured, each an {@link io.vtagent.outlet.Outlet}: the first line, the endpoint, the report at exit, the
 * history. Puts together what {@code metrics}, {@code report}, {@code history}, {@code page} and {@code export} offer.
 */
package io.vtagent.outlet;
