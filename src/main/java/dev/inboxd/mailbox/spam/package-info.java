/**
 * What organizations teach about spam by labelling their mail, each for itself: the marks, the model that is learned from
 * them in the background, and the models that are at hand for arriving mail. What a message is like is said by {@code
 * mail.spam}.
 */
@NullMarked
package dev.inboxd.mailbox.spam;

import org.jspecify.annotations.NullMarked;
