@NullMarked
package dev.inboxd.account.oauth;

import org.jspecify.annotations.NullMarked;
