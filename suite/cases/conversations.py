"""Which conversation a mail belongs to (rulings 97, 98)."""

from authors import strict


def reply_to(report, server):
    """Reply-To counts where it leads to somebody else."""
    inbox = server.inbox()
    kinds = {"the inbox itself": ("BOX", "ann@writer.test"), "nobody": ("undisclosed:;", "ann@writer.test"),
             "another": ("Help <help@writer.test>", "help@writer.test"), "both": ("BOX, help@writer.test", "help@writer.test")}
    for name, (field, right) in report.some(kinds.items()):
        message = inbox.mail(f"Subject: Where\nReply-To: {field}\n")
        for call in ("reply", "reply-all"):
            answer = inbox.reply(message["message_id"], call)
            report.check(f"{name}: {call}", [strict(each) for each in answer["to"] or []] == [right], answer)


def forms_of_ids(report, server):
    """Ids are read in every form in which programs write them."""
    inbox = server.inbox()
    long = "0123456789abcdef0123456789abcdef.0123456789abcdef@host-of-a-large-department.writer.test"
    first = inbox.mail(f"Subject: Begin\nMessage-ID: <{long}>\n")
    words = "".join(f"\n =?us-ascii?q?{part.replace('.', '=2E').replace('@', '=40')}?=" for part in ("<" + long[:40], long[40:] + ">"))
    forms = {"encoded words": words, "no brackets": " " + long, "folded before the @": f" <{long.split('@')[0]}\n @{long.split('@')[1]}>",
             "in prose": f" Your message <{long}> of Monday", "no closing bracket": f" <{long}"}
    for name, form in report.some(forms.items()):
        for field in ("In-Reply-To", "References"):
            message = inbox.mail(f"Subject: Re: Begin\n{field}:{form}\n")
            report.check(f"{name} in {field}", message["thread_id"] == first["thread_id"], message)


def names_of_senders(report, server):
    """Replies name the id that the sender gave, whatever the message is called here."""
    inbox = server.inbox()
    threads = {}
    ids = {"bare": ("17@writer.test", "<17@writer.test>"), "padded": ("< 18@writer.test >", "<18@writer.test>"),
           "twice": ("<17@writer.test>", "<17@writer.test>")}
    for name, (written, right) in report.some(ids.items()):
        message = inbox.mail(f"Subject: Ids {name}\nMessage-ID: {written}\n", to=[inbox.address.replace("@", f"+{name}@")])
        answer = inbox.reply(message["message_id"])
        raw = inbox.raw(answer["message_id"])
        report.check(f"{name}: In-Reply-To", f"In-Reply-To: {right}" in raw, raw)
        later = inbox.mail(f"Subject: Re: Ids {name}\nReferences: {right}\n")
        # Of two copies of one mail either thread will do.
        threads.setdefault(right, set()).add(message["thread_id"])
        report.check(f"{name}: a later mail joins", later["thread_id"] in threads[right], later)


CASES = [reply_to, forms_of_ids, names_of_senders]
