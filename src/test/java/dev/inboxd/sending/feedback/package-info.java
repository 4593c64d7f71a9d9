@NullMarked
package dev.inboxd.sending.feedback;

import org.jspecify.annotations.NullMarked;
