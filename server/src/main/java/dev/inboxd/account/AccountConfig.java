package dev.inboxd.account;

import dev.inboxd.account.signup.SignUpPolicy;

/**
 * What the settings say of accounts.
 *
 * @param domain the service's own domain, whose addresses belong to no human
 * @param signUp who may sign up
 * @param strictAddresses whether addresses that are only examples are refused at sign-up
 */
public record AccountConfig(String domain, SignUpPolicy signUp, boolean strictAddresses) {}
