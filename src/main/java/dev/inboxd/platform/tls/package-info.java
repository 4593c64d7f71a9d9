/**
 * Our side of TLS, for SMTP and HTTP alike: a certificate and its key in PEM files, looked after while the service runs.
 */
@NullMarked
package dev.inboxd.platform.tls;

import org.jspecify.annotations.NullMarked;
