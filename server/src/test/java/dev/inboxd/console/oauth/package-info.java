@NullMarked
package dev.inboxd.console.oauth;

import org.jspecify.annotations.NullMarked;
