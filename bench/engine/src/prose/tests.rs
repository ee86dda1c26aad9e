use super::sentence;

#[test]
fn it_has_the_length_and_varies_with_the_seed() {
    assert_eq!(sentence(1, 200).len(), 200);
    assert_eq!(sentence(1, 200), sentence(1, 200));
    assert_ne!(sentence(1, 200), sentence(2, 200));
}
