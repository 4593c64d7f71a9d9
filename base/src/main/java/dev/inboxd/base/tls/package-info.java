/**
 * TLS of the server, for SMTP and HTTP alike: a certificate and its key in PEM files, watched while the service runs.
 */
@NullMarked
package dev.inboxd.base.tls;

import org.jspecify.annotations.NullMarked;
