/**
 * Spam models of organizations, each trained from the labels of its own mail: the marks, the training in the
 * background, and a cache of the models for arriving mail. The features of a message are computed by {@code mail.spam}.
 */
@NullMarked
package dev.inboxd.mailbox.spam;

import org.jspecify.annotations.NullMarked;
