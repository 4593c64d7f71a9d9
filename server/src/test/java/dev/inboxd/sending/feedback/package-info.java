/** Tests of bounces, delays, complaints and unsubscribes. */
@NullMarked
package dev.inboxd.sending.feedback;

import org.jspecify.annotations.NullMarked;
