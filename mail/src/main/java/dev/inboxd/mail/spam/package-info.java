/**
 * Rules about the structure of a message that speak for spam, and the features by which a trained model judges it.
 * Pure: nothing is learned or stored here.
 */
@NullMarked
package dev.inboxd.mail.spam;

import org.jspecify.annotations.NullMarked;
