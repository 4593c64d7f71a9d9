/**
 * What the operator sees: one canonical line for each request, message and delivery, which no input can forge, and
 * meters. Never a body, a subject or a key.
 */
@NullMarked
package dev.inboxd.base.log;

import org.jspecify.annotations.NullMarked;
