@NullMarked
package dev.inboxd.sandbox.mail;

import org.jspecify.annotations.NullMarked;
