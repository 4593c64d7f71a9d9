/**
 * Identifiers: time-ordered UUIDs (RFC 9562 §5.7), created here and never by the database, and base62 texts for
 * secrets.
 */
@NullMarked
package dev.inboxd.base.id;

import org.jspecify.annotations.NullMarked;
