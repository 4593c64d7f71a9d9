@NullMarked
package dev.inboxd.sandbox.fault;

import org.jspecify.annotations.NullMarked;
