/**
 * People by script: what mail to names below sandbox.test, and to addresses that a rule matches, meets, and what they
 * do then (sandbox.md §3). What somebody does later is a row with its time.
 */
@NullMarked
package dev.inboxd.sandbox.person;

import org.jspecify.annotations.NullMarked;
