/**
 * Spam training: the marks that an organization makes by labelling its mail, the model that is learned from them in the
 * background, and the models in memory for arriving mail. Each organization trains for itself alone. The rules about a
 * message are in {@code mail.spam}.
 */
@NullMarked
package dev.inboxd.mailbox.spam;

import org.jspecify.annotations.NullMarked;
