-- Raw mail is compressed where it lies (docs/decisions/0043-what-mail-takes-on-the-disk.md). What is stored already stays as
-- it is and is read as before. A row that fits three times into a page then keeps its mail, which saves the rows and the
-- entries of the index that a value elsewhere needs.
do $$
begin
    alter table message_content alter column raw set storage extended;
    alter table message_content set (toast_tuple_target = 2704);
exception when feature_not_supported then
    raise notice 'raw mail is not compressed: %', sqlerrm; -- on distributed tables
end
$$;
