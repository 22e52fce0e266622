insert into article select x, 'Article ' || x, repeat('lorem ipsum ', 20) from system_range(0, 999);
