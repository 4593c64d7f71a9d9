/**
 * Spam analysis of a message: rules about its structure, and the features by which an organization's own marks on
 * earlier mail are applied to it. Pure; nothing is learned or stored here.
 */
@NullMarked
package dev.inboxd.mail.spam;

import org.jspecify.annotations.NullMarked;
