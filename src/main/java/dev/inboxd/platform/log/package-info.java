/**
 * Logs and metrics for the operator: one canonical line per request, message and delivery, which no input can forge,
 * and meters. Never a body, a subject or a key. Every package may write lines; only the server sets the format.
 */
@NullMarked
package dev.inboxd.platform.log;

import org.jspecify.annotations.NullMarked;
