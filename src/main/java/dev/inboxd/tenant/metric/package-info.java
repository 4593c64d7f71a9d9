/**
 * Metrics (events.md §8): how often what happened, how much there is, and which part bounced, for the
 * organization, a pod or an inbox. Counted from the event log, whether or not anyone listens. A few seconds behind, a
 * worker adds up; a question first adds up what is left, so that an answer is never behind.
 */
@NullMarked
package dev.inboxd.tenant.metric;

import org.jspecify.annotations.NullMarked;
