@NullMarked
package dev.inboxd.agent;

import org.jspecify.annotations.NullMarked;
