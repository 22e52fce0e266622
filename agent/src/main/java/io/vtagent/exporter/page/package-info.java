/**
 * The files of the page, and the page as one file. Depends on {@code report}, {@code history} and
 * {@code json}.
 */
package io.vtagent.exporter.page;
