/**
 * Notifications of events: {@code webhook} posts them to URLs, {@code webhook.polling} lets consumers fetch them, and
 * {@code stream} sends them over WebSockets and answers long polls.
 */
@NullMarked
package dev.inboxd.notify;

import org.jspecify.annotations.NullMarked;
