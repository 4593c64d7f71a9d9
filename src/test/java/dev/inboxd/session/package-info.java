@NullMarked
package dev.inboxd.session;

import org.jspecify.annotations.NullMarked;
