/**
 * What a message is like: facts of its structure that speak for spam, and the features by which an organization's own
 * judgement of earlier mail is applied to it. Pure; nothing is learned or kept here.
 */
@NullMarked
package dev.inboxd.mail.spam;

import org.jspecify.annotations.NullMarked;
