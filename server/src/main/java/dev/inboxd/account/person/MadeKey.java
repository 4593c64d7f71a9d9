package dev.inboxd.account.person;

/**
 * A key that a person made, and that stays when the person goes.
 *
 * @param humanEmail who made it
 * @param name of the key
 */
public record MadeKey(String humanEmail, String name) {}
