/**
 * What the operator sees: one canonical line per request, message and delivery, which no input can forge, and meters.
 * Never a body, a subject or a key. Everyone above may write lines; only the wiring sets the form.
 */
@NullMarked
package dev.inboxd.platform.log;

import org.jspecify.annotations.NullMarked;
